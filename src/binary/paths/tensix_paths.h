// What holds for the Tensix instructions of a function along every path to them, not only along
// one: which LRegs have been written, what has been programmed, and how full the predicate stack
// is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/resources.h"
#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"

namespace lanewise::paths {

/// Index of a word in the function, or that something was programmed before the function began.
using Setter = std::uint32_t;
inline constexpr Setter kBefore = ~Setter{0};

/// What a function is to its callers.
struct Summary {
  bool is_known = true; ///< no path has words or calls of which nothing is known; else what follows
                        ///< is what is known
  isa::LRegSet needs = 0;                ///< of L0..L7: a path reads it before it writes it
  isa::LRegSet writes = 0xFF;            ///< of L0..L7: every path to a return writes it
  Resources uses = 0;                    ///< a path uses it before it programs it
  Resources programs = ~Resources{0};    ///< every path to a return does
  int least_pushed = 0, most_pushed = 0; ///< entries that are left on the predicate stack

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// Summaries by the address of the function.
using Summaries = std::map<std::uint32_t, Summary>;

enum class FindingKind : std::uint8_t {
  UnwrittenLReg, ///< read, and a path to it does not write it
  Unprogrammed,  ///< used, and the function programs it on some paths only
  UnevenStack,   ///< paths come together with different numbers of entries on the predicate stack
  EmptyStack,    ///< a pop, and a path to it has not pushed
  StackAtReturn, ///< a return with entries left
  CutRecording   ///< control flow between REPLAY and the last word that it records
};

/// "unwritten-lreg", "unprogrammed", ...: stable.
std::string_view finding_id(FindingKind kind);

struct Finding {
  FindingKind kind;
  std::uint32_t word = 0; ///< index in the function
  std::string text;       ///< a sentence without its end

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// Who may have programmed what a word uses.
struct ResourceUse {
  std::uint32_t word = 0;
  unsigned resource = 0;       ///< of namespace resource
  std::vector<Setter> setters; ///< ascending; kBefore last: also the function's caller, or nobody
};

/// The Tensix instructions that a word executes, in order: its own, or those that its REPLAY plays;
/// none while it is only recorded. Nothing for one that is not known.
using Executed = std::vector<std::optional<std::uint32_t>>;

struct TensixPaths {
  Summary summary;
  std::vector<Finding> findings = {}; ///< by word; they hold if nobody calls the function with more
  std::vector<ResourceUse> uses = {}; ///< by word
  /// L0..L7 with a value that is read after some call which came after it. Values that a called
  /// function gives back on every path do not count.
  isa::LRegSet live_across_calls = 0;
  std::size_t unknown_words =
      0; ///< pushes of words that the code computes; after one anything may be programmed
  std::vector<Executed> executed = {}; ///< of each word of the function
};

/// `summaries` has the functions that this one calls; one that it lacks may do anything.
TensixPaths follow_paths(const elf::Function& function, const CodeGraph& code, Arch arch,
                         const Summaries& summaries);

/// Addresses that some function calls, or jumps to at its end.
std::set<std::uint32_t> called_addresses(const std::vector<elf::Function>& functions);

/// Whether a finding says only what a called function expects of its callers: then it is found
/// again where they break it.
bool is_for_callers(FindingKind kind);

/// Summaries of all functions of a file, as they call each other.
Summaries summarise(const std::vector<elf::Function>& functions, Arch arch);

} // namespace lanewise::paths
