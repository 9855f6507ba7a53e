#include "binary/elf/accesses.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "binary/elf/constants.h"
#include "chip/riscv/address_map.h"

namespace lanewise::elf {

namespace {

using riscv::Flow;

/// Whether control does not go on to the word behind.
bool ends_here(const CodeWord& word) {
  return word.flow == Flow::Jump || word.flow == Flow::Return || word.flow == Flow::IndirectJump ||
         word.flow == Flow::Trap;
}

bool is_call(const CodeWord& word) {
  return word.flow == Flow::Call || word.flow == Flow::IndirectCall;
}

bool accesses_memory(const CodeWord& word) {
  if (word.kind != WordKind::RiscV || word.flow != Flow::Next) return false;
  const riscv::Format format = riscv::format_of(word.instruction.op);
  return format == riscv::Format::Load || format == riscv::Format::Store ||
         format == riscv::Format::Atomic;
}

/// A word that is no known instruction may write the integer register that its bits 11 to 7 name,
/// where all instructions of RISC-V have it.
void pass(const CodeWord& word, KnownRegisters& known) {
  if (word.kind == WordKind::Tensix) return;
  if (word.kind == WordKind::Unknown) return known.forget(word.word >> 7 & 31U);
  known.execute(word.instruction, word.address);
  if (is_call(word)) known.forget_callers();
}

void note_access(CodeWord& word, const KnownRegisters& known, Arch arch) {
  if (!accesses_memory(word)) return;
  word.accessed = known.address(word.instruction);
  if (word.instruction.op != riscv::Op::SW || !word.accessed) return;
  if (riscv::find_region(arch, *word.accessed).region != riscv::Region::Instructions) return;
  word.stores_to_fifo = true;
  word.tensix = known.value(word.instruction.rs2);
}

/// Pieces of code that are entered at their first word only, and what is known there. Branches may
/// leave a piece in its middle.
class KnownPaths {
 public:
  explicit KnownPaths(const std::vector<CodeWord>& words) : words_(words) {
    find_pieces();
    states_.resize(first_.size());
    waits_.resize(first_.size(), false);
  }

  void follow() {
    enter(0, {});
    for (const CodeWord& word : words_) {
      if (is_call(word)) enter_target(word, {});
    }
    work();
    for (Piece piece = 0; piece < first_.size(); ++piece) {
      if (states_[piece]) continue;
      enter(piece, {});
      work();
    }
  }

  /// Calls visit(index of a word, what is known before it) for each word.
  template <class Visit>
  void for_each_word(const Visit& visit) const {
    for (Piece piece = 0; piece < first_.size(); ++piece) {
      KnownRegisters known = *states_[piece];
      for (std::size_t i = first_[piece]; i < end_of(piece); ++i) {
        visit(i, known);
        pass(words_[i], known);
      }
    }
  }

 private:
  using Piece = std::size_t;

  std::optional<std::size_t> target_of(const CodeWord& word) const {
    if (!word.target || *word.target < words_.front().address) return std::nullopt;
    const std::size_t index = (*word.target - words_.front().address) / 4;
    return *word.target % 4 == 0 && index < words_.size() ? std::optional(index) : std::nullopt;
  }

  void find_pieces() {
    std::vector<bool> begins(words_.size(), false);
    begins[0] = true;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (const auto target = target_of(words_[i])) begins[*target] = true;
      if (ends_here(words_[i]) && i + 1 < words_.size()) begins[i + 1] = true;
    }
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (begins[i]) first_.push_back(i);
    }
  }

  std::size_t end_of(Piece piece) const {
    return piece + 1 < first_.size() ? first_[piece + 1] : words_.size();
  }

  void wait_for(Piece piece) {
    if (waits_[piece]) return;
    waits_[piece] = true;
    work_.push_back(piece);
  }

  static bool add_path(std::optional<KnownRegisters>& state, const KnownRegisters& known) {
    if (state) return state->join(known);
    state = known;
    return true;
  }

  void enter(Piece piece, const KnownRegisters& known) {
    if (add_path(states_[piece], known)) wait_for(piece);
  }

  void enter_target(const CodeWord& word, const KnownRegisters& known) {
    const auto target = target_of(word);
    if (!target) return;
    const auto piece = std::ranges::lower_bound(first_, *target);
    enter(static_cast<Piece>(piece - first_.begin()), known);
  }

  void enter_cases(const KnownRegisters& known) {
    if (!add_path(at_switch_, known)) return;
    for (Piece piece = 1; piece < first_.size(); ++piece) {
      if (ends_here(words_[first_[piece] - 1])) enter(piece, *at_switch_);
    }
  }

  void work() {
    while (!work_.empty()) {
      const Piece piece = work_.front();
      work_.pop_front();
      waits_[piece] = false;
      go_through(piece);
    }
  }

  void go_through(Piece piece) {
    KnownRegisters known = *states_[piece];
    for (std::size_t i = first_[piece]; i < end_of(piece); ++i) {
      const CodeWord& word = words_[i];
      if (word.flow == Flow::Branch || word.flow == Flow::Jump) enter_target(word, known);
      if (word.flow == Flow::IndirectJump) enter_cases(known);
      if (ends_here(word)) return;
      pass(word, known);
    }
    if (piece + 1 < first_.size()) enter(piece + 1, known);
  }

  const std::vector<CodeWord>& words_;
  std::vector<std::size_t> first_; ///< of each piece its first word
  std::vector<std::optional<KnownRegisters>> states_;
  std::optional<KnownRegisters> at_switch_; ///< where all indirect jumps agree
  std::vector<bool> waits_;
  std::deque<Piece> work_;
};

} // namespace

void find_accesses(std::vector<CodeWord>& words, Arch arch) {
  if (words.empty()) return;
  KnownPaths paths(words);
  paths.follow();
  paths.for_each_word(
      [&](std::size_t i, const KnownRegisters& known) { note_access(words[i], known, arch); });
}

} // namespace lanewise::elf
