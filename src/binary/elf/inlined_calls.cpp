#include "binary/elf/inlined_calls.h"

#include <dwarf.h>

#include <algorithm>
#include <tuple>

namespace lanewise::elf {

namespace {

/// Compilers nest less; a hostile file may do so without end.
constexpr std::size_t kDeepest = 128;
/// Pieces of code with a call; a tile's memory has room for fewer words.
constexpr std::size_t kMostCalls = std::size_t{1} << 20;

bool may_hold_code(int tag) {
  return tag == DW_TAG_compile_unit || tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
         tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

std::uint32_t number_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute place;
  Dwarf_Word value = 0;
  const bool is_there =
      ::dwarf_formudata(::dwarf_attr(&die, attribute, &place), &value) == 0 && value <= UINT32_MAX;
  return is_there ? static_cast<std::uint32_t>(value) : 0;
}

/// Of the function that was called.
std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute place;
  const char* const name = ::dwarf_formstring(::dwarf_attr_integrate(&die, DW_AT_name, &place));
  return name == nullptr ? "" : name;
}

/// Goes through the entries of a unit, each before those within it.
class InlinedCallReader {
 public:
  InlinedCallReader(Dwarf_Die unit, DebugFiles& files, Image& image)
      : die_(unit), files_(files), image_(image) {
    std::size_t count = 0;
    if (::dwarf_getsrcfiles(&unit, &sources_, &count) != 0) sources_ = nullptr;
  }

  void read() {
    Dwarf_Off last = 0;
    do {
      if (::dwarf_dieoffset(&die_) <= last) return; // a file whose entries go round in circles
      last = ::dwarf_dieoffset(&die_);
      if (::dwarf_tag(&die_) == DW_TAG_inlined_subroutine) add_call();
    } while (go_on() && image_.inlined.size() < kMostCalls);
  }

 private:
  bool go_on() {
    Dwarf_Die next;
    if (around_.size() < kDeepest && may_hold_code(::dwarf_tag(&die_)) &&
        ::dwarf_child(&die_, &next) == 0) {
      around_.push_back(die_);
      die_ = next;
      return true;
    }
    for (; !around_.empty(); around_.pop_back()) {
      if (::dwarf_siblingof(&die_, &next) == 0) {
        die_ = next;
        return true;
      }
      die_ = around_.back();
    }
    return false;
  }

  void add_call() {
    const std::uint32_t file = number_of(die_, DW_AT_call_file);
    const char* const source =
        sources_ == nullptr ? nullptr : ::dwarf_filesrc(sources_, file, nullptr, nullptr);
    InlinedCall call{.function = name_of(die_),
                     .file = files_.number_of(source),
                     .line = number_of(die_, DW_AT_call_line),
                     .depth = static_cast<std::uint32_t>(around_.size())};
    Dwarf_Addr base = 0, first = 0, end = 0;
    std::ptrdiff_t next = 0;
    while ((next = ::dwarf_ranges(&die_, next, &base, &first, &end)) > 0) {
      if (!is_code(image_, first, end) || image_.inlined.size() >= kMostCalls) continue;
      call.first = static_cast<std::uint32_t>(first);
      call.end = static_cast<std::uint32_t>(end);
      image_.inlined.push_back(call);
    }
  }

  Dwarf_Die die_;
  std::vector<Dwarf_Die> around_;
  Dwarf_Files* sources_ = nullptr;
  DebugFiles& files_;
  Image& image_;
};

} // namespace

void add_inlined_calls(Dwarf_Die unit, DebugFiles& files, Image& image) {
  InlinedCallReader(unit, files, image).read();
}

void nest_inlined_calls(Image& image) {
  std::vector<InlinedCall>& all = image.inlined;
  std::ranges::stable_sort(all, [](const InlinedCall& a, const InlinedCall& b) {
    return std::tuple(a.first, b.end, a.depth) < std::tuple(b.first, a.end, b.depth);
  });
  std::vector<InlinedCall> nested;
  std::optional<std::uint32_t> around;
  for (InlinedCall& call : all) {
    while (around && nested[*around].end <= call.first) around = nested[*around].around;
    if (around && call.end > nested[*around].end) continue;
    call.around = around;
    around = static_cast<std::uint32_t>(nested.size());
    nested.push_back(std::move(call));
  }
  all = std::move(nested);
}

} // namespace lanewise::elf
