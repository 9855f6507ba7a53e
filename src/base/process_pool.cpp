#include "base/process_pool.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/private_folder.h"
#include "base/shared_memory.h"

namespace lanewise {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{50};

/// What the processes share.
struct Shared {
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
};

fs::path file_of(const fs::path& folder, std::size_t index) {
  return folder / std::to_string(index);
}

[[noreturn]] void be_a_worker(Shared& shared, std::size_t count, const fs::path& folder,
                              const std::function<std::string(std::size_t)>& work) {
  // Whoever has started it decides what Ctrl-C means, and does not outlive it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (std::size_t i = shared.next++; i < count && !shared.stop; i = shared.next++) {
    try {
      const std::string result = work(i);
      const fs::path file = file_of(folder, i), temporary = file.string() + ".part";
      std::ofstream stream(temporary, std::ios::binary);
      stream << result;
      stream.close();
      std::error_code ignored;
      if (stream) fs::rename(temporary, file, ignored);
    } catch (const std::exception&) {
      // Without a result, it is one that was not done.
    }
    ++shared.done;
  }
  ::_exit(EXIT_SUCCESS);
}

std::optional<std::string> result_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

/// Results as they come. Of those that were begun, only the ones without a result are looked for.
class Results {
 public:
  using Take = std::function<void(std::size_t, const std::string&)>;

  Results(std::size_t count, const fs::path& folder, const Take& take)
      : folder_(folder), take_(take), results_(count) {}

  /// Takes what there is of the work before `begun`.
  void look(std::size_t begun) {
    for (; begun_ < std::min(begun, results_.size()); ++begun_) open_.push_back(begun_);
    std::erase_if(open_, [this](std::size_t i) {
      results_[i] = result_in(file_of(folder_, i));
      if (results_[i] && take_) take_(i, *results_[i]);
      return results_[i].has_value();
    });
  }
  std::vector<std::optional<std::string>> all() { return std::move(results_); }

 private:
  const fs::path& folder_;
  const Take& take_;
  std::vector<std::optional<std::string>> results_;
  std::vector<std::size_t> open_; ///< begun, without a result yet
  std::size_t begun_ = 0;
};

bool any_lives(std::vector<pid_t>& workers) {
  std::erase_if(workers, [](pid_t each) { return ::waitpid(each, nullptr, WNOHANG) == each; });
  return !workers.empty();
}

} // namespace

Expected<std::vector<std::optional<std::string>>> run_in_processes(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<bool(std::size_t)>& progress,
    const std::function<void(std::size_t, const std::string&)>& take) {
  if (count == 0) return std::vector<std::optional<std::string>>();
  const auto memory = SharedMemory::make("process-pool", sizeof(Shared));
  if (!memory) return Unexpected(memory.error());
  Shared& shared = *new (memory->bytes().data()) Shared;
  const PrivateFolder folder("pool");
  if (!folder.is_made())
    return bad_input("there is no folder for temporary files, for processes",
                     "let TMPDIR name a folder of your own");
  std::fflush(nullptr); // or each process would print it again
  std::vector<pid_t> workers;
  int error = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(jobs, count); ++i) {
    const pid_t process = ::fork();
    if (process == 0) be_a_worker(shared, count, folder.path(), work);
    if (process > 0) {
      workers.push_back(process);
    } else {
      error = errno;
    }
  }
  if (workers.empty())
    return bad_input("cannot make a process: " + std::generic_category().message(error));
  Results results(count, folder.path(), take);
  while (any_lives(workers)) {
    std::this_thread::sleep_for(kBetweenLooks);
    results.look(shared.next);
    if (!progress(std::min(shared.done.load(), count))) shared.stop = true;
  }
  (void)progress(std::min(shared.done.load(), count));
  results.look(count);
  return results.all();
}

} // namespace lanewise
