// Which stores stay behind which loads by RISC-V's memory model (RVWMO), and by what: the control
// dependencies that branches make, and what would be lost if a branch became a select
// (docs/ordering.md).
//
// A load and a store are ordered here if the rules of "preserved program order" say so in every
// implementation of the manual. Accesses of addresses that the function does not show count as
// accesses of main memory. What a called function does is not seen, apart from the registers that
// it may change.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "chip/isa/arch.h"

namespace lanewise::paths {

/// Why a store comes after a load in the memory order: rules of preserved program order.
enum class Order : std::uint8_t {
  Control,        ///< a branch or an indirect jump between them depends on the load (rule 11)
  Address,        ///< the store's address depends on the load (9)
  Data,           ///< what it stores depends on the load (10)
  AddressBetween, ///< the address of an access between them depends on the load (13)
  SameAddress,    ///< both access the same place (1)
  Fence,          ///< a fence between them that has both in its sets (4)
  Annotation      ///< aq and rl of AMOs (5 to 7); not between main memory and devices
};

class OrderSet {
 public:
  constexpr OrderSet() = default;
  constexpr OrderSet(std::initializer_list<Order> orders) {
    for (const Order order : orders) insert(order);
  }

  constexpr void insert(Order order) { bits_ |= bit(order); }
  constexpr bool contains(Order order) const { return (bits_ & bit(order)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr OrderSet& operator&=(OrderSet other) {
    bits_ &= other.bits_;
    return *this;
  }

  friend constexpr bool operator==(OrderSet, OrderSet) = default;

 private:
  static constexpr std::uint8_t bit(Order order) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(order));
  }
  std::uint8_t bits_ = 0;
};

/// A store behind a load. All words are indices in the function.
struct OrderedStore {
  std::uint32_t store = 0;
  bool pushes = false; ///< an instruction to the coprocessor
  /// Those of the load's branches from which some path leads to the store; ascending.
  std::vector<std::uint32_t> branches = {};
  /// What orders it after the last execution of the load, whichever path has led from there to it.
  OrderSet orders = {};

  bool by_control_only() const { return orders == OrderSet{Order::Control}; }
};

/// A load or an AMO on whose result a branch depends.
struct OrderedLoad {
  std::uint32_t load = 0;
  std::vector<std::uint32_t> branches = {}; ///< also indirect jumps and calls; ascending
  /// The load is in a loop that one of these branches may leave; that branch, or none.
  std::vector<std::uint32_t> polled_by = {};
  std::vector<OrderedStore> stores = {}; ///< behind one of the branches on some path; ascending
};

/// A load that some path no longer orders before a store.
struct LostOrder {
  std::uint32_t load = 0, store = 0;
  bool pushes = false;

  friend bool operator==(const LostOrder&, const LostOrder&) = default;
};

/// The most instructions that a branch may skip to count as short.
inline constexpr std::uint32_t kMostSkipped = 3;

/// A branch over instructions that only compute: words (branch, end). A compiler could write them
/// with czero.eqz and czero.nez (Zicond), a core could fuse them with the branch; a branch over
/// nothing could go altogether.
struct SelectCandidate {
  std::uint32_t branch = 0, end = 0;
  /// What the function would lose with a select in its place; ascending by load, then store.
  std::vector<LostOrder> lost = {};
};

struct Ordering {
  std::vector<OrderedLoad> loads = {};       ///< ascending
  std::vector<SelectCandidate> selects = {}; ///< ascending
};

/// `arch` says which addresses are devices, and where the instruction FIFO lies.
Ordering find_ordering(const elf::Function& function, const CodeGraph& code, Arch arch);

/// A word with a sentence about it, without its end.
struct OrderingNote {
  std::uint32_t word = 0;
  std::string text;
};

/// Polled loads with stores that a control dependency alone keeps behind them, and branches that
/// would lose an order as a select.
std::vector<OrderingNote> ordering_notes(const elf::Function& function, const Ordering& ordering);

/// "a control dependency", "a fence", ...
std::string_view order_text(Order order);

/// What the chip's own cores promise beyond RVWMO, which does not know them: one sentence (ISA
/// BabyRISCV, MemoryOrdering).
std::string_view core_order_text(Arch arch);

} // namespace lanewise::paths
