#include "base/processor_time.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/limits.h"

namespace lanewise {
namespace {

/// Enough for a line of /proc/PID/stat, and for the numbers of some hundred children.
using Buffer = std::array<char, 4096>;

/// Empty if it cannot be read.
std::string_view read_start(const char* path, Buffer& buffer) {
  const FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return {};
  const ssize_t length = ::read(file.number(), buffer.data(), buffer.size());
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

/// Takes the next word of a text.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

long long number_of(std::string_view word) {
  long long number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

std::chrono::milliseconds time_of_ticks(long long ticks) {
  constexpr long long kMilliseconds = 1000;
  return std::chrono::milliseconds(ticks * kMilliseconds / std::max(::sysconf(_SC_CLK_TCK), 1L));
}

/// proc(5): the name in parentheses, which may have any bytes, the state, ten more numbers, and
/// then the time of the process and of the children that it has waited for.
std::optional<WorkDone> work_in(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  stat.remove_prefix(name_end + 1);
  WorkDone work;
  const std::string_view state = next_word(stat);
  work.is_active = state == "R" || state == "D";
  constexpr int kBetween = 10, kTimes = 4;
  for (int i = 0; i < kBetween; ++i) next_word(stat);
  long long ticks = 0;
  for (int i = 0; i < kTimes; ++i) ticks += number_of(next_word(stat));
  work.processor_time = time_of_ticks(ticks);
  return work;
}

/// Programs do not start each other this deep.
constexpr unsigned kDeepest = 16;

std::optional<WorkDone> work_from(pid_t process, unsigned depth);

/// Adds what the processes of a list have done.
std::optional<WorkDone> work_of_list(const char* path, unsigned depth) {
  Buffer buffer{};
  if (::access(path, R_OK) != 0) return std::nullopt; // a kernel without such lists
  std::string_view list = read_start(path, buffer);
  WorkDone all;
  while (list.find_first_not_of(' ') != std::string_view::npos) {
    const auto work = work_from(static_cast<pid_t>(number_of(next_word(list))), depth + 1);
    if (!work) continue; // it has ended meanwhile
    all.processor_time += work->processor_time;
    all.is_active = all.is_active || work->is_active;
  }
  return all;
}

std::optional<WorkDone> work_from(pid_t process, unsigned depth) {
  Buffer buffer{};
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", process);
  auto work = work_in(read_start(path.data(), buffer));
  if (!work || depth >= kDeepest) return work;
  std::snprintf(path.data(), path.size(), "/proc/%d/task/%d/children", process, process);
  if (const auto below = work_of_list(path.data(), depth)) {
    work->processor_time += below->processor_time;
    work->is_active = work->is_active || below->is_active;
  }
  return work;
}

} // namespace

std::optional<WorkDone> work_of(pid_t process) {
  return work_from(process, 0);
}

std::optional<WorkDone> work_below() {
  return work_of_list("/proc/thread-self/children", 0);
}

TimeBudget::TimeBudget(std::chrono::milliseconds time, pid_t process)
    : time_(time), process_(process) {
  if (const auto done = work()) before_ = seen_ = done->processor_time;
}

std::optional<WorkDone> TimeBudget::work() const {
  return process_ == 0 ? work_below() : work_of(process_);
}

bool TimeBudget::is_used_up() {
  const auto now = Clock::now();
  const auto done = work();
  if (!done || done->is_active || done->processor_time > seen_) last_active_ = now;
  if (done) seen_ = std::max(seen_, done->processor_time);
  return seen_ - before_ >= time_ || now - last_active_ >= time_ ||
         now - start_ >= time_ * kWallFactor;
}

void TimeBudget::forgive_waiting() {
  start_ = last_active_ = Clock::now();
}

/// After half of what is left, so that it takes few looks to come to the end.
std::chrono::milliseconds TimeBudget::patience() const {
  using std::chrono::milliseconds;
  constexpr milliseconds kShortest{5}, kLongest{1000};
  const milliseconds left = time_ - (seen_ - before_);
  const auto asleep = std::chrono::duration_cast<milliseconds>(Clock::now() - last_active_);
  return std::clamp(std::min(left, time_ - asleep) / 2, kShortest, kLongest);
}

std::chrono::nanoseconds own_processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace lanewise
