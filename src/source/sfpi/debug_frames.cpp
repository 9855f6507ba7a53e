#include "source/sfpi/debug_frames.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using compiler::Frame;

/// "twice(sfpi::vFloat)" for "_Z5twiceN4sfpi6vFloatE"; a name that is not mangled as it is.
std::string demangled(const char* name) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  int status = 0;
  const std::unique_ptr<char, Free> text(::abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return text ? text.get() : name;
}

const char* text_of(const char* text) {
  return text == nullptr ? "" : text;
}

/// 0 where there is no such attribute.
Dwarf_Word number_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word number = 0;
  ::dwarf_formudata(::dwarf_attr(&die, attribute, &found), &number);
  return number;
}

/// Whether an inlined call may stand in it.
bool may_hold_calls(Dwarf_Die& die) {
  const int tag = ::dwarf_tag(&die);
  return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
}

/// The innermost first: the function, and what is inlined into it at the address.
void add_calls(Dwarf_Die die, Dwarf_Addr address, std::vector<Dwarf_Die>& calls) {
  Dwarf_Die child;
  for (int end = ::dwarf_child(&die, &child); end == 0; end = ::dwarf_siblingof(&child, &child)) {
    if (!may_hold_calls(child) || ::dwarf_haspc(&child, address) <= 0) continue;
    add_calls(child, address, calls);
    break;
  }
  if (::dwarf_tag(&die) != DW_TAG_lexical_block) calls.push_back(die);
}

} // namespace

/// The functions of an object by their addresses. (dwarf_getscopes() searches them one after the
/// other, a millisecond for each address.)
class FrameReader::Functions {
 public:
  struct EndSession {
    void operator()(Dwfl* session) const { ::dwfl_end(session); }
  };
  using Session = std::unique_ptr<Dwfl, EndSession>;

  Functions(Session session, Dwfl_Module* module) : session_(std::move(session)), module_(module) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = ::dwfl_module_nextcu(module_, unit, &bias)) != nullptr)
      add_functions(*unit, *unit);
  }

  std::vector<Frame> frames_at(Dwarf_Addr address) const {
    auto place = functions_.upper_bound(address);
    if (place == functions_.begin()) return {};
    --place;
    const Function& function = place->second;
    if (address >= function.end) return {};
    std::vector<Dwarf_Die> calls;
    add_calls(function.die, address, calls);
    return frames_of(calls, function, address);
  }

 private:
  struct Function {
    Dwarf_Addr end = 0;
    Dwarf_Die die = {}, unit = {};
  };

  /// Whatever has code below a place of the unit. That of a lambda stands in the function around
  /// it.
  void add_functions(Dwarf_Die parent, Dwarf_Die unit) {
    Dwarf_Die die;
    for (int end = ::dwarf_child(&parent, &die); end == 0; end = ::dwarf_siblingof(&die, &die)) {
      if (::dwarf_tag(&die) == DW_TAG_subprogram) add_function(die, unit);
      add_functions(die, unit);
    }
  }

  void add_function(Dwarf_Die die, Dwarf_Die unit) {
    Dwarf_Addr base = 0, first = 0, last = 0;
    std::ptrdiff_t next = 0;
    while ((next = ::dwarf_ranges(&die, next, &base, &first, &last)) > 0) {
      functions_[first] = {last, die, unit};
    }
  }

  /// The line table knows the innermost place; each inlined call knows where it stands.
  std::vector<Frame> frames_of(std::vector<Dwarf_Die>& calls, const Function& function,
                               Dwarf_Addr address) const {
    Dwarf_Die unit = function.unit;
    Dwarf_Line* const row = ::dwarf_getsrc_die(&unit, address);
    if (row == nullptr) return {};
    int line = 0;
    ::dwarf_lineno(row, &line);
    Frame place{.file = text_of(::dwarf_linesrc(row, nullptr, nullptr)),
                .function = {},
                .line = static_cast<std::uint32_t>(line)};
    Dwarf_Files* files = nullptr;
    ::dwarf_getsrcfiles(&unit, &files, nullptr);
    std::vector<Frame> frames;
    for (Dwarf_Die& call : calls) {
      place.function = name_of(call, address);
      frames.push_back(place);
      if (::dwarf_tag(&call) == DW_TAG_subprogram) break;
      const Dwarf_Word file = number_of(call, DW_AT_call_file);
      place.file =
          text_of(files == nullptr ? nullptr : ::dwarf_filesrc(files, file, nullptr, nullptr));
      place.line = static_cast<std::uint32_t>(number_of(call, DW_AT_call_line));
    }
    return frames;
  }

  std::string name_of(Dwarf_Die& call, Dwarf_Addr address) const {
    Dwarf_Attribute found;
    const char* name = nullptr;
    if (::dwarf_attr_integrate(&call, DW_AT_linkage_name, &found) != nullptr) {
      name = ::dwarf_formstring(&found);
    } else if (::dwarf_tag(&call) == DW_TAG_subprogram) { // static: only the symbol is mangled
      name = ::dwfl_module_addrname(module_, address);
    }
    return demangled(text_of(name == nullptr ? ::dwarf_diename(&call) : name));
  }

  Session session_;
  Dwfl_Module* module_;
  std::map<Dwarf_Addr, Function> functions_; ///< by first address
};

FrameReader::FrameReader(std::unique_ptr<const Functions> functions)
    : functions_(std::move(functions)) {}
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader::~FrameReader() = default;

std::vector<Frame> FrameReader::frames_at(std::uint64_t address) const {
  return functions_->frames_at(address);
}

/// The object is taken at the addresses that its own file names.
Expected<FrameReader> FrameReader::open(const fs::path& object) {
  // No other file is asked, on this machine or elsewhere.
  static const Dwfl_Callbacks kCallbacks{.find_elf = ::dwfl_build_id_find_elf,
                                         .find_debuginfo = [](auto...) { return -1; },
                                         .section_address = ::dwfl_offline_section_address,
                                         .debuginfo_path = nullptr};
  constexpr GElf_Addr kBase = 0;
  Functions::Session session(::dwfl_begin(&kCallbacks));
  Dwfl_Module* const module =
      ::dwfl_report_elf(session.get(), "kernel", object.c_str(), -1, kBase, false);
  ::dwfl_report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  if (module == nullptr || ::dwfl_module_getdwarf(module, &bias) == nullptr) {
    return bad_input(fmt::format("cannot read the debug information of the compiled kernel {}: {}",
                                 object.string(), ::dwfl_errmsg(-1)),
                     "delete it, and it will be compiled again");
  }
  return FrameReader(std::make_unique<const Functions>(std::move(session), module));
}

Expected<FramesByAddress> read_frames(const fs::path& object, std::span<const CallStack> stacks) {
  const auto reader = FrameReader::open(object);
  if (!reader) return Unexpected(reader.error());
  FramesByAddress frames;
  for (const CallStack& stack : stacks) {
    for (const std::uint64_t address : stack) {
      const auto [place, is_new] = frames.try_emplace(address);
      if (is_new) place->second = reader->frames_at(address);
    }
  }
  return frames;
}

} // namespace lanewise::sfpi
