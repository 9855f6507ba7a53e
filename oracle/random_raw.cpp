#include "oracle/random_raw.h"

#include <algorithm>
#include <iterator>

#include "machine/vector/vector_state.h"

namespace lanewise::lab {

using isa::Op;

namespace {

/// An instruction and a mode that may occur in it.
struct Form {
  Op op;
  std::uint32_t mod;
};

} // namespace

void RawWordMaker::load(unsigned count) {
  lregs_.clear();
  while (lregs_.size() < count) {
    const unsigned lreg = dice_.below(kWritableLRegs);
    if (std::ranges::find(lregs_, lreg) == lregs_.end()) lregs_.push_back(lreg);
  }
  for (const unsigned lreg : lregs_) load_immediate(lreg);
}

void RawWordMaker::load_immediate(std::uint32_t lreg) {
  constexpr std::uint32_t kModes[] = {0, 1, 2, 4}; // FP16b, FP16a, unsigned, signed: all 32 bits
  writer_.raw(Op::SFPLOADI, {{"VD", lreg},
                             {"Mod0", kModes[dice_.below(std::size(kModes))]},
                             {"Imm16", dice_.bits() & 0xFFFF}});
}

std::uint32_t RawWordMaker::source() {
  return lregs_.empty() || dice_.one_in(4) ? constant() : target();
}

void RawWordMaker::compute() {
  switch (dice_.below(is_blackhole() ? 6 : 5)) {
    case 0: return multiply_or_add();
    case 1: return unary();
    case 2: return two_address();
    case 3: {
      constexpr std::uint32_t kUpper = 8, kLower = 10; // one half; the other stays
      return writer_.raw(Op::SFPLOADI, {{"VD", target()},
                                        {"Mod0", dice_.one_in(2) ? kUpper : kLower},
                                        {"Imm16", dice_.bits() & 0xFFFF}});
    }
    case 4: return swap();
    default: return compare();
  }
}

void RawWordMaker::multiply_or_add() {
  switch (dice_.below(4)) {
    case 0:
      return writer_.raw(dice_.one_in(2) ? Op::SFPMULI : Op::SFPADDI,
                         {{"VD", target()}, {"Imm16", dice_.bits() & 0xFFFF}});
    case 1: {
      constexpr std::uint32_t kZeroLReg = 9;
      return writer_.raw(Op::SFPMUL,
                         {{"VA", source()}, {"VB", source()}, {"VC", kZeroLReg}, {"VD", target()}});
    }
    default:
      return writer_.raw(dice_.one_in(2) ? Op::SFPMAD : Op::SFPADD,
                         {{"VA", source()}, {"VB", source()}, {"VC", source()}, {"VD", target()}});
  }
}

void RawWordMaker::unary() {
  constexpr Form kForms[] = {
      {Op::SFPMOV, 0},   {Op::SFPMOV, 1},   {Op::SFPMOV, 2}, {Op::SFPABS, 0},   {Op::SFPABS, 1},
      {Op::SFPNOT, 0},   {Op::SFPLZ, 0},    {Op::SFPLZ, 4},  {Op::SFPEXEXP, 0}, {Op::SFPEXEXP, 1},
      {Op::SFPEXMAN, 0}, {Op::SFPEXMAN, 1}, {Op::SFPCAST, 0}};
  const Form form = kForms[dice_.below(std::size(kForms))];
  writer_.raw(form.op, {{"VC", source()}, {"VD", target()}, {"Mod1", form.mod}});
}

void RawWordMaker::two_address() {
  constexpr Form kForms[] = {{Op::SFPIADD, 4},   {Op::SFPIADD, 5},   {Op::SFPIADD, 6},
                             {Op::SFPSHFT, 0},   {Op::SFPAND, 0},    {Op::SFPOR, 0},
                             {Op::SFPXOR, 0},    {Op::SFPSETEXP, 0}, {Op::SFPSETMAN, 0},
                             {Op::SFPSETSGN, 0}, {Op::SFPSETEXP, 2}};
  const Form form = kForms[dice_.below(std::size(kForms))];
  if (form.op == Op::SFPIADD) {
    return writer_.raw(
        form.op,
        {{"Imm12", dice_.bits() & 0xFFF}, {"VC", source()}, {"VD", target()}, {"Mod1", form.mod}});
  }
  writer_.raw(form.op, {{"VC", source()}, {"VD", target()}, {"Mod1", form.mod}});
}

/// Registers below 4 may have an index in LReg[4..7] that goes with them (VU C33), so these are
/// kept out.
void RawWordMaker::swap() {
  constexpr unsigned kFirst = 4;
  std::vector<unsigned> own;
  std::ranges::copy_if(lregs_, std::back_inserter(own), [](unsigned r) { return r >= kFirst; });
  if (own.size() < 2) return unary();
  writer_.raw(Op::SFPSWAP, {{"VC", own[0]}, {"VD", own[1]}, {"Mod1", dice_.below(2)}});
}

/// Blackhole: all ones or zero into VD, without touching flags (VU C32).
void RawWordMaker::compare() {
  constexpr std::uint32_t kSetVd = 8;
  writer_.raw(dice_.one_in(2) ? Op::SFPLE : Op::SFPGT,
              {{"VC", source()}, {"VD", target()}, {"Mod1", kSetVd}});
}

void RawWordMaker::record_and_replay() {
  constexpr unsigned kSlots = 32, kMostWords = 3;
  const std::uint32_t count = 2 + dice_.below(kMostWords - 1);
  const std::uint32_t slot = dice_.below(kSlots - kMostWords);
  writer_.raw(Op::REPLAY,
              {{"Index", slot}, {"Count", count}, {"Exec", dice_.below(2)}, {"Load", 1}});
  for (std::uint32_t i = 0; i < count; ++i) compute();
  writer_.raw(Op::REPLAY, {{"Index", slot}, {"Count", count}});
}

void RawWordMaker::narrow() {
  const unsigned kinds = is_blackhole() ? 4 : 3;
  const unsigned kind = dice_.below(kinds);
  if (lregs_.empty() || kind == 0) {
    constexpr std::uint32_t kTests[] = {0, 2, 4, 6}; // < 0, != 0, >= 0, == 0
    return writer_.raw(Op::SFPSETCC,
                       {{"VC", source()}, {"Mod1", kTests[dice_.below(std::size(kTests))]}});
  }
  if (kind == 1) {
    constexpr std::uint32_t kModes[] = {0, 1, 2, 8, 9, 10}; // with < 0 or >= 0 into the flags
    return writer_.raw(Op::SFPIADD, {{"Imm12", dice_.bits() & 0xFFF},
                                     {"VC", source()},
                                     {"VD", target()},
                                     {"Mod1", kModes[dice_.below(std::size(kModes))]}});
  }
  if (kind == 2) {
    constexpr Form kForms[] = {
        {Op::SFPLZ, 2}, {Op::SFPLZ, 10}, {Op::SFPEXEXP, 2}, {Op::SFPEXEXP, 10}};
    const Form form = kForms[dice_.below(std::size(kForms))];
    return writer_.raw(form.op, {{"VC", source()}, {"VD", target()}, {"Mod1", form.mod}});
  }
  constexpr std::uint32_t kSetCc = 1, kSetVd = 8;
  writer_.raw(
      dice_.one_in(2) ? Op::SFPLE : Op::SFPGT,
      {{"VC", source()}, {"VD", target()}, {"Mod1", kSetCc | (dice_.one_in(3) ? kSetVd : 0)}});
}

void RawWordMaker::all_lanes() {
  constexpr std::uint32_t kBoth = 3, kFromImmediates = 10; // VU C5: flags in use, all of them set
  writer_.raw(Op::SFPENCC, {{"Imm2", kBoth}, {"Mod1", kFromImmediates}});
}

} // namespace lanewise::lab
