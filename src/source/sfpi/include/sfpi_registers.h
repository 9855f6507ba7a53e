// Elements of dst_reg and l_reg: where vectors come from and go to.
#pragma once

#include <cstdint>

#include "sfpi_emit.h"
#include "sfpi_scalar.h"

namespace sfpi::operators {

/// What operators apply to. They live in this namespace, where C++ looks for them on behalf of
/// every class that has this base, and of nothing else.
struct Operand {};

} // namespace sfpi::operators

namespace sfpi::impl_ {

/// As what an element of Dst is taken by the type of the vector that is loaded or stored.
enum class View { Float, Float16a, Float16b, Int, UInt, Mag, UInt16, SMag, SMag16 };

constexpr unsigned layout_bit(DataLayout layout) {
  return 1U << static_cast<unsigned>(layout);
}
template <class... Layouts>
constexpr unsigned layout_set(Layouts... layouts) {
  return (layout_bit(layouts) | ... | 0U);
}

/// The layouts that a view can be loaded from and stored in.
constexpr unsigned layouts_of(View view) {
  using L = DataLayout;
  switch (view) {
    case View::Float: return layout_set(L::FSrcB, L::F32, L::F16a, L::F16b);
    case View::Float16a: return layout_set(L::FSrcB, L::F32, L::F16a);
    case View::Float16b: return layout_set(L::FSrcB, L::F32, L::F16b);
    case View::Int: return layout_set(L::I32, L::SM32);
    case View::UInt: return layout_set(L::U32, L::U16, L::LO16, L::HI16);
    case View::Mag: return layout_set(L::M32, L::LO16, L::HI16);
    case View::UInt16: return layout_set(L::U32, L::U16, L::LO16, L::HI16);
    case View::SMag: return layout_set(L::I32, L::SM32, L::SM16);
    case View::SMag16: return layout_set(L::SM16);
  }
  return 0;
}

/// Mod0 of a layout that a kernel asks for.
constexpr unsigned mode_of(DataLayout layout) {
  switch (layout) {
    case DataLayout::Default:
    case DataLayout::FSrcB: return SFPLOAD_MOD0_FMT_SRCB;
    case DataLayout::F32: return SFPLOAD_MOD0_FMT_FP32;
    case DataLayout::F16a: return SFPLOAD_MOD0_FMT_FP16A;
    case DataLayout::F16b: return SFPLOAD_MOD0_FMT_FP16B;
    case DataLayout::I32:
    case DataLayout::U32:
    case DataLayout::SM32:
    case DataLayout::M32: return SFPLOAD_MOD0_FMT_INT32;
    case DataLayout::U16: return SFPLOAD_MOD0_FMT_UINT16;
    case DataLayout::SM16: return SFPLOAD_MOD0_FMT_INT16;
    case DataLayout::LO16: return SFPLOAD_MOD0_FMT_LO16;
    case DataLayout::HI16: return SFPLOAD_MOD0_FMT_HI16;
  }
  return SFPLOAD_MOD0_FMT_SRCB;
}

/// Mod0 of a vector type that is loaded or stored without a layout.
constexpr unsigned default_mode(View view, bool is_store) {
  constexpr DstModes modes = Chip::dst_modes;
  switch (view) {
    case View::Float: return is_store ? modes.store_float : modes.load_float;
    case View::Float16a: return SFPLOAD_MOD0_FMT_FP16A;
    case View::Float16b: return SFPLOAD_MOD0_FMT_FP16B;
    case View::Int: return is_store ? modes.store_int : modes.load_int;
    case View::UInt: return is_store ? modes.store_uint : modes.load_uint;
    case View::Mag:
    case View::SMag: return SFPLOAD_MOD0_FMT_INT32;
    case View::UInt16: return SFPLOAD_MOD0_FMT_UINT16;
    case View::SMag16: return SFPLOAD_MOD0_FMT_INT16;
  }
  return SFPLOAD_MOD0_FMT_SRCB;
}

/// Whether the number has to change between two's complement and sign-magnitude on its way.
constexpr bool changes_sign_form(View view, DataLayout layout) {
  return (view == View::Int && layout == DataLayout::SM32) ||
         (view == View::SMag && layout == DataLayout::I32);
}

sfpu_t int_to_smag_bits(sfpu_t value);
sfpu_t smag_to_int_bits(sfpu_t value);

/// An element of dst_reg: a group of Dst rows that fills one vector.
class vDReg : public operators::Operand {
 public:
  vDReg(const vDReg&) = default;

  /// Stores. `vector = dst_reg[i]` loads.
  template <class T>
  auto operator=(const T& value) const;
  /// Copies as a float.
  void operator=(const vDReg& source) const { write(source.read(View::Float), View::Float); }

  /// The same element with another format, or another ADDR_MOD section.
  template <DataLayout layout = DataLayout::Default>
  vDReg mode(int addr_mod = -1) const {
    return vDReg(address_, layout == DataLayout::Default ? layout_ : layout,
                 addr_mod < 0 ? addr_mod_ : addr_mod);
  }

  int get() const { return address_; }

  sfpu_t read(View view) const {
    if (!Chip::loads_integers && view != View::Float) {
      lanewise_sfpi::fail("Grayskull loads floats only from Dst",
                          "load a vFloat; integers from Dst appeared with Wormhole");
    }
    const sfpu_t bits =
        lanewise_sfpi::Instruction(lanewise_sfpi::kSfpLoad, mod(view, false), address_)
            .addr_mod(addr_mod_);
    if (Chip::int_sm_converts || !changes_sign_form(view, layout_)) return bits;
    return view == View::Int ? smag_to_int_bits(bits) : int_to_smag_bits(bits);
  }

  void write(sfpu_t value, View view) const {
    sfpu_t bits = value;
    if (!Chip::int_sm_converts && changes_sign_form(view, layout_)) {
      bits = view == View::Int ? int_to_smag_bits(value) : smag_to_int_bits(value);
    }
    const sfpu_t stored =
        lanewise_sfpi::Instruction(lanewise_sfpi::kSfpStore, mod(view, true), address_)
            .addr_mod(addr_mod_)
            .vd(bits);
    static_cast<void>(stored);
  }

 private:
  friend class DestRegFile;
  vDReg(int address, DataLayout layout, int addr_mod)
      : address_(address), layout_(layout), addr_mod_(addr_mod) {}

  unsigned mod(View view, bool is_store) const {
    if (layout_ == DataLayout::Default) return default_mode(view, is_store);
    if (!Chip::later_library) {
      lanewise_sfpi::fail("a DataLayout came with SFPI 7, which does not know Grayskull",
                          "leave it out: Dst holds 16 bits, a bfloat16 or an integer");
    }
    if ((layouts_of(view) & layout_bit(layout_)) == 0) {
      lanewise_sfpi::fail("this DataLayout does not fit the type of the vector",
                          "take a layout of the vector's kind: F32, F16a, F16b for floats, I32 or "
                          "SM32 for vInt, U32 or U16 for vUInt");
    }
    if (Chip::int_sm_converts && changes_sign_form(view, layout_)) return SFPLOAD_MOD0_FMT_SM32;
    return mode_of(layout_);
  }

  int address_;
  DataLayout layout_;
  int addr_mod_;
};

/// Dst, as the Vector Unit addresses it: relative to the counters that dst_reg++ moves.
class DestRegFile {
 public:
  vDReg operator[](int index) const {
    return vDReg(address_of(index), DataLayout::Default, Chip::keep_counter);
  }
  void operator++() const { *this += 1; }
  void operator++(int) const { *this += 1; }

  /// INCRWC, as often as its 4-bit increment makes it necessary.
  void operator+=(int count) const {
    if (count < 0) {
      lanewise_sfpi::fail("dst_reg is moved backwards", "INCRWC counts upwards only; use SETRWC");
    }
    int rest = count * Chip::dst_stride;
    do {
      const int step = rest < kLargestStep ? rest : kLargestStep;
      lanewise_sfpi::emit_own(kIncRwc | static_cast<std::uint32_t>(step) << kDstIncrement);
      rest -= step;
    } while (rest > 0);
  }

 private:
  /// Grayskull's addresses have 16 bits, and Dst ends before: what is beyond wraps.
  static constexpr int address_of(int index) {
    if constexpr (Chip::lane_bits < 32) {
      constexpr int kMost = 0xFFFF / Chip::dst_stride;
      if (index > kMost) return static_cast<std::int16_t>(index * Chip::dst_stride);
    }
    return index * Chip::dst_stride;
  }

  static constexpr std::uint32_t kIncRwc = 0x38U << 24;
  static constexpr unsigned kDstIncrement = 14; ///< INCRWC: DstInc 17:14
  static constexpr int kLargestStep = 15 / Chip::dst_stride * Chip::dst_stride;
};

class vVal;

/// One of LReg 0..7, by its number.
class vLReg : public operators::Operand {
 public:
  explicit vLReg(LRegs number) : number_(static_cast<int>(number)) {
    if (number_ >= static_cast<int>(Chip::lreg_count)) {
      lanewise_sfpi::fail("l_reg has no such register", Chip::lreg_count == 4
                                                            ? "use LRegs::LReg0 to LRegs::LReg3"
                                                            : "use LRegs::LReg0 to LRegs::LReg7");
    }
  }
  vLReg(const vLReg&) = default;

  /// The register holds the vector from here on.
  sfpu_t operator=(const vVal& value) const;
  void operator=(const vLReg& source) const { write(source.read()); }
  /// Keeps the register's value until here.
  void in_use() const { write(read()); }
  /// The same, as later releases call it.
  void used() const { in_use(); }

  int get() const { return number_; }
  sfpu_t read() const { return lanewise_sfpi::leaf(LanewiseKind::ReadLReg, number_); }

 private:
  void write(sfpu_t value) const {
    lanewise_sfpi::operation(LanewiseKind::WriteLReg, number_, value);
  }
  int number_;
};

template <class T>
class vCReg;

class LRegFile {
 public:
  /// A constant register, by its number: `constexpr LRegFile::vCReg<vFloat> c(CREG_IDX_PRGM1)`.
  template <class T>
  using vCReg = impl_::vCReg<T>;

  vLReg operator[](LRegs number) const { return vLReg(number); }
};

} // namespace sfpi::impl_

namespace sfpi {

inline constexpr impl_::DestRegFile dst_reg{};
inline constexpr impl_::LRegFile l_reg{};

} // namespace sfpi
