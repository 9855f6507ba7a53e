#include "run/section/zones.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

#include "base/file_descriptor.h"

namespace lanewise::section {
namespace {

constexpr std::uint32_t kWord = sizeof(std::uint32_t);

// An entry's first word: its kind, its marker, the upper bits of its time. The lower ones follow.
constexpr unsigned kKindShift = 28, kMarkerShift = 12;
constexpr std::uint32_t kTimeMask = (1U << kMarkerShift) - 1;

/// A section's buffer, read and written word by word.
class Words {
 public:
  Words(std::span<std::uint8_t> l1, const ZoneBuffer& buffer) {
    if (buffer.address > l1.size()) return;
    const std::size_t bytes =
        std::min<std::size_t>(l1.size() - buffer.address, std::size_t{kWord} * buffer.words);
    bytes_ = l1.subspan(buffer.address, bytes);
  }

  bool has(std::size_t count) const { return at_ + count * kWord <= bytes_.size(); }

  std::uint32_t word(std::size_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_ + index * kWord, kWord);
    return value;
  }

  void set(std::size_t index, std::uint32_t value) {
    std::memcpy(bytes_.data() + at_ + index * kWord, &value, kWord);
  }

  void skip(std::size_t count) { at_ += count * kWord; }

 private:
  std::span<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}

/// The reading of a core that gave this value, if there is one.
const tile::ClockReading* find_reading(unsigned core, std::uint64_t value,
                                       std::span<const tile::ClockReading> readings) {
  const auto first = std::ranges::lower_bound(readings, value, {}, &tile::ClockReading::value);
  const auto found = std::find_if(first, readings.end(), [&](const tile::ClockReading& each) {
    return each.value != value || each.core == core;
  });
  return found == readings.end() || found->value != value ? nullptr : &*found;
}

struct EndElf {
  void operator()(Elf* file) const { ::elf_end(file); }
};

/// The bytes of an object's section, or none.
std::string section_bytes(Elf* file, const char* name) {
  std::size_t names = 0;
  if (::elf_getshdrstrndx(file, &names) != 0) return {};
  for (Elf_Scn* each = nullptr; (each = ::elf_nextscn(file, each)) != nullptr;) {
    GElf_Shdr header;
    if (::gelf_getshdr(each, &header) == nullptr) continue;
    const char* const is_called = ::elf_strptr(file, names, header.sh_name);
    if (is_called == nullptr || std::strcmp(is_called, name) != 0) continue;
    const Elf_Data* const data = ::elf_rawdata(each, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

/// "LLK_PROFILER:FILE:LINE:NAME".
std::optional<Marker> parse_marker(std::string_view text) {
  constexpr std::string_view kPrefix = "LLK_PROFILER:";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = text.substr(kPrefix.size());
  const std::size_t file_end = rest.find(':');
  const std::size_t line_end = rest.find(':', file_end == rest.npos ? rest.npos : file_end + 1);
  if (line_end == rest.npos) return std::nullopt;
  const std::string_view line = rest.substr(file_end + 1, line_end - file_end - 1);
  Marker marker{.text = std::string(text),
                .file = std::string(rest.substr(0, file_end)),
                .name = std::string(rest.substr(line_end + 1)),
                .number = marker_number(text)};
  const auto read = std::from_chars(line.data(), line.data() + line.size(), marker.line);
  if (read.ec != std::errc{}) return std::nullopt;
  return marker;
}

} // namespace

std::vector<ZoneEvent> take_times(unsigned thread, const ZoneBuffer& buffer,
                                  std::span<std::uint8_t> l1,
                                  std::span<const tile::ClockReading> readings,
                                  const CycleOf& cycle_of) {
  using Kind = ZoneEvent::Kind;
  std::vector<ZoneEvent> events;
  Words words(l1, buffer);
  while (words.has(2)) {
    const std::uint32_t head = words.word(0), kind = head >> kKindShift;
    if (kind < static_cast<unsigned>(Kind::Timestamp) || kind > static_cast<unsigned>(Kind::End))
      break;
    ZoneEvent event{.thread = thread,
                    .kind = static_cast<Kind>(kind),
                    .marker = static_cast<std::uint16_t>(head >> kMarkerShift)};
    const auto* reading = find_reading(thread, joined(head & kTimeMask, words.word(1)), readings);
    if (reading != nullptr) {
      event.executed = reading->executed[thread];
      event.cycle = cycle_of(*reading);
    }
    const std::uint64_t time = event.cycle.value_or(kUnknownTime);
    words.set(0, (head & ~kTimeMask) | (static_cast<std::uint32_t>(time >> 32) & kTimeMask));
    words.set(1, static_cast<std::uint32_t>(time));
    words.skip(2);
    if (event.kind == Kind::TimestampWithData && words.has(2)) {
      event.data = joined(words.word(0), words.word(1));
      words.skip(2);
    }
    events.push_back(event);
  }
  return events;
}

/// FNV-1a of 32 bits, folded to 16.
std::uint16_t marker_number(std::string_view text) {
  std::uint32_t hash = 2166136261;
  for (const char each : text) hash = (hash ^ static_cast<std::uint8_t>(each)) * 16777619;
  return static_cast<std::uint16_t>(hash ^ hash >> 16);
}

std::vector<Zone> zones_of(unsigned thread, std::span<const ZoneEvent> events,
                           std::span<const Marker> markers) {
  std::vector<Zone> zones;
  for (const ZoneEvent& event : events) {
    if (event.thread != thread || !event.cycle) continue;
    const auto marker = std::ranges::find(markers, event.marker, &Marker::number);
    const std::string name =
        marker == markers.end() ? fmt::format("marker {:#06x}", event.marker) : marker->name;
    if (event.kind != ZoneEvent::Kind::End) {
      const bool opens = event.kind == ZoneEvent::Kind::Start;
      zones.push_back({.thread = thread,
                       .name = name,
                       .kind = opens ? Zone::Kind::Open : Zone::Kind::Point,
                       .begin = *event.cycle,
                       .end = *event.cycle});
      continue;
    }
    // What begins last ends first.
    const auto open = std::find_if(zones.rbegin(), zones.rend(), [&](const Zone& each) {
      return each.kind == Zone::Kind::Open && each.name == name;
    });
    if (open == zones.rend()) continue;
    open->kind = Zone::Kind::Whole;
    open->end = *event.cycle;
  }
  return zones;
}

Expected<std::vector<Marker>> read_markers(const std::filesystem::path& object) {
  const FileDescriptor descriptor(::open(object.c_str(), O_RDONLY | O_CLOEXEC));
  ::elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, EndElf> file(
      descriptor.is_open() ? ::elf_begin(descriptor.number(), ELF_C_READ_MMAP, nullptr) : nullptr);
  if (file == nullptr || ::elf_kind(file.get()) != ELF_K_ELF) {
    return bad_input(fmt::format("cannot read the compiled section {}", object.string()),
                     "delete it, and it will be compiled again");
  }
  std::vector<Marker> markers;
  const std::string all = section_bytes(file.get(), kMarkerSection);
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view text = all.c_str() + at; // up to its NUL
    if (auto marker = parse_marker(text)) markers.push_back(std::move(*marker));
    at += text.size() + 1;
  }
  return markers;
}

} // namespace lanewise::section
