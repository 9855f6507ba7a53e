#include "study/parts/shared_work.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif
#include <unistd.h>

#include <span>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "chip/machine/fused.h"

namespace lanewise::parts {

namespace {

namespace fs = std::filesystem;

std::string text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// PartHeader::arithmetic of this machine.
std::string own_arithmetic() {
#if defined(__GLIBC__)
  return fmt::format("glibc {}{}", ::gnu_get_libc_version(),
                     has_fma() ? "" : ", without multiply-add");
#else
  return "another library"; // the page without a server
#endif
}

} // namespace

SharedWork SharedWork::resumable(fs::path file) {
  SharedWork work;
  work.kind_ = Kind::Resumable;
  work.path_ = std::move(file);
  return work;
}

SharedWork SharedWork::part(const Part& part, CommandWords command, fs::path file) {
  SharedWork work;
  work.kind_ = Kind::Part;
  work.path_ = std::move(file);
  work.file_.header.part = part;
  work.file_.header.command = std::move(command);
  work.file_.header.arithmetic = own_arithmetic();
  return work;
}

SharedWork SharedWork::merged(std::vector<PartFile> parts) {
  SharedWork work;
  work.kind_ = Kind::Merged;
  work.merged_ = std::move(parts);
  return work;
}

Expected<void> SharedWork::begin(std::string_view work, Json key, std::uint64_t items,
                                 Keeping keeping) {
  keeping_ = keeping;
  file_.header.items = items;
  file_.header.key = std::move(key);
  if (kind_ == Kind::Merged) return take_parts(work);
  if (!keeps() || path_.empty()) return {};
  std::error_code ignored;
  if (fs::exists(path_, ignored)) {
    if (auto taken = take_over(work); !taken) return taken;
    if (file_.ended) return {};
  }
  return write(); // at once, so that a path that cannot be written is no surprise after hours
}

Expected<void> SharedWork::take_over(std::string_view work) {
  const std::string name = path_.string();
  const auto fault = [&](std::string message, std::string remedy) {
    Unexpected result = bad_input(std::move(message), std::move(remedy));
    result.value().file = name;
    return result;
  };
  const auto bytes = read_file(path_);
  if (!bytes) return Unexpected(bytes.error());
  auto found = parse_part_file(text_of_bytes(*bytes), name);
  if (!found) return Unexpected(found.error());
  const PartHeader &theirs = found->header, &ours = file_.header;
  auto same = check_key(theirs.key, ours.key, work, name,
                        fmt::format("name another file for this {}, or remove that one to give up "
                                    "the other",
                                    work));
  if (!same) return same;
  if (theirs.part != ours.part)
    return fault(fmt::format("this is {}, not {}", part_name(theirs.part), part_name(ours.part)),
                 "name another file, or that part");
  if (theirs.command != ours.command)
    return fault(
        fmt::format("this is a part of 'lanewise {}'", fmt::join(theirs.command.typed, " ")),
        "name another file, or go on with that command");
  if (theirs.items != ours.items)
    return fault(
        fmt::format("this is of {} items, and here there are {}", theirs.items, ours.items),
        "name another file");
  if (found->torn && keeping_ == Keeping::Whole)
    return fault("this is cut off", "remove the file to begin anew, or name another one");
  file_.records = std::move(found->records);
  file_.ended = found->ended;
  return {};
}

Expected<void> SharedWork::take_parts(std::string_view work) {
  for (PartFile& part : merged_) {
    auto same = check_key(part.header.key, file_.header.key, work, part.name,
                          "merge where the programs and inputs are those of the parts, or make the "
                          "parts anew");
    if (!same) return same;
    if (part.header.items != file_.header.items)
      return bad_input(fmt::format("{} is of {} items, and here there are {}", part.name,
                                   part.header.items, file_.header.items),
                       "merge where there is the same work");
    if (keeping_ == Keeping::Lines &&
        part.records.size() != range_of(part.header.part, part.header.items).count())
      return bad_input(
          fmt::format("{} does not have all items of {}", part.name, part_name(part.header.part)),
          "make this part anew");
    file_.records.merge(part.records);
  }
  return {};
}

ItemRange SharedWork::range() const {
  return range_of(file_.header.part, file_.header.items);
}

std::string SharedWork::name_of(std::uint64_t item) const {
  for (const PartFile& part : merged_) {
    const ItemRange range = range_of(part.header.part, part.header.items);
    if (item >= range.begin && item < range.end) return part.name;
  }
  return path_.string();
}

const Json* SharedWork::find(std::uint64_t item) const {
  const auto found = file_.records.find(item);
  return found == file_.records.end() ? nullptr : &found->second;
}

void SharedWork::keep(std::uint64_t item, Json value) {
  if (!keeps()) return;
  const Json& kept = file_.records.insert_or_assign(item, std::move(value)).first->second;
  if (path_.empty()) return;
  const bool can_append = keeping_ == Keeping::Lines && !is_behind_;
  is_behind_ = can_append ? !append(record_line(item, kept)) : !write();
}

Expected<void> SharedWork::stop() {
  if (!is_behind_) return {};
  return write();
}

Expected<void> SharedWork::end() {
  if (!keeps() || path_.empty()) {
    file_.ended = true;
    return {};
  }
  if (kind_ == Kind::Resumable) {
    std::error_code ignored; // a file that stays is only found complete by the next run
    fs::remove(path_, ignored);
    return {};
  }
  if (std::exchange(file_.ended, true) && !is_behind_) return {};
  return write();
}

Expected<void> SharedWork::write() const {
  const std::string bytes = text();
  return write_file_atomically(path_, std::as_bytes(std::span(bytes)));
}

bool SharedWork::append(const std::string& line) const {
  const FileDescriptor file(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  return file.is_open() &&
         ::write(file.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

} // namespace lanewise::parts
