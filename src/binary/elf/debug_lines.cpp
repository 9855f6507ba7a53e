#include "binary/elf/debug_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <memory>
#include <string>

#include "binary/elf/debug_files.h"
#include "binary/elf/inlined_calls.h"

namespace lanewise::elf {

namespace {

struct EndElf {
  void operator()(::Elf* file) const { ::elf_end(file); }
};
struct EndDwarf {
  void operator()(Dwarf* session) const { ::dwarf_end(session); }
};
using DebugInformation = std::unique_ptr<Dwarf, EndDwarf>;

/// One row of a line table.
struct LineRow {
  Dwarf_Addr address = 0;
  bool ends = false; ///< the first address behind a piece of code
  int line = 0;
  const char* file = nullptr;
};

LineRow row_of(::Dwarf_Line* line) {
  LineRow row;
  ::dwarf_lineaddr(line, &row.address);
  ::dwarf_lineendsequence(line, &row.ends);
  ::dwarf_lineno(line, &row.line);
  row.file = ::dwarf_linesrc(line, nullptr, nullptr);
  return row;
}

/// A row holds up to the next one.
void add_range(const LineRow& row, Dwarf_Addr end, DebugFiles& files, Image& image) {
  if (row.ends || !is_code(image, row.address, end)) return;
  image.lines.push_back({.first = static_cast<std::uint32_t>(row.address),
                         .end = static_cast<std::uint32_t>(end),
                         .file = files.number_of(row.file),
                         .line = static_cast<std::uint32_t>(std::max(0, row.line))});
}

/// A unit whose tables stand in another file: no other file is read.
bool is_split(Dwarf_Die& unit) {
  return ::dwarf_hasattr(&unit, DW_AT_dwo_name) != 0 ||
         ::dwarf_hasattr(&unit, DW_AT_GNU_dwo_name) != 0;
}

void add_lines(Dwarf_Die unit, DebugFiles& files, Image& image) {
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (::dwarf_getsrclines(&unit, &lines, &count) != 0) return;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const LineRow row = row_of(::dwarf_onesrcline(lines, i));
    add_range(row, row_of(::dwarf_onesrcline(lines, i + 1)).address, files, image);
  }
}

void add_unit(Dwarf_Die unit, DebugFiles& files, Image& image) {
  if (is_split(unit)) return;
  add_lines(unit, files, image);
  add_inlined_calls(unit, files, image);
}

void add_units(Dwarf* session, Image& image) {
  DebugFiles files(image.files);
  Dwarf_Off offset = 0, next = 0;
  std::size_t header = 0;
  while (::dwarf_nextcu(session, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (::dwarf_offdie(session, offset + header, &unit) != nullptr) add_unit(unit, files, image);
    if (next <= offset) return;
    offset = next;
  }
}

/// Where ranges overlap, as they may in a broken file, the first of them stays.
void sort_ranges(std::vector<LineRange>& lines) {
  std::ranges::stable_sort(lines, {}, &LineRange::first);
  std::uint32_t end = 0;
  std::erase_if(lines, [&end](const LineRange& range) {
    const bool overlaps = range.first < end;
    if (!overlaps) end = range.end;
    return overlaps;
  });
}

} // namespace

bool is_code(const Image& image, std::uint64_t first, std::uint64_t end) {
  return std::ranges::any_of(image.segments, [&](const Segment& segment) {
    return segment.executable && first >= segment.address && end > first &&
           end - segment.address <= segment.size;
  });
}

void read_debug_lines(std::string_view bytes, Image& image) {
  ::elf_version(EV_CURRENT);
  std::string copy(bytes); // libelf takes memory that it may write
  const std::unique_ptr<::Elf, EndElf> file(::elf_memory(copy.data(), copy.size()));
  if (!file) return;
  const DebugInformation session(::dwarf_begin_elf(file.get(), DWARF_C_READ, nullptr));
  if (!session) return;
  add_units(session.get(), image);
  sort_ranges(image.lines);
  nest_inlined_calls(image);
}

} // namespace lanewise::elf
