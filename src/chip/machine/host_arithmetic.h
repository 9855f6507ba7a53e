// The state of the host's float instructions while lane kernels run (chip/semantics/host_fma.h).
#pragma once

#include "chip/isa/arch.h"
#include "chip/semantics/host_fma.h"

namespace lanewise {

#if defined(__EMSCRIPTEN__)

/// WebAssembly has one state: to nearest even, denormals are numbers, nothing traps. What needs
/// another one does without the host's float instructions (host_flushes_denormals).
class HostArithmetic {
 public:
  HostArithmetic() = default;
  explicit HostArithmetic(Arch /*arch*/) {}
};

#else

/// For its lifetime: round to nearest even, denormal operands and results are zeros, as the MAD
/// sub-unit has it (VU 3.1) but for Grayskull's (SFPI 4), and nothing traps.
class HostArithmetic {
 public:
  HostArithmetic() : HostArithmetic(false) {}
  explicit HostArithmetic(Arch arch) : HostArithmetic(arch_params(arch).vector.mad_has_denormals) {}
  ~HostArithmetic() {
    if (changes_) _mm_setcsr(before_);
  }
  HostArithmetic(const HostArithmetic&) = delete;
  HostArithmetic& operator=(const HostArithmetic&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1F80; ///< of a new process: to nearest, all masked
  static constexpr unsigned kDenormalsAreZeros = 0x0040, kFlush = 0x8000;
  static constexpr unsigned kExceptions = 0x003F; ///< those that have been met

  explicit HostArithmetic(bool has_denormals) : before_(_mm_getcsr()) {
    const unsigned wanted = has_denormals ? kDefault : kDefault | kDenormalsAreZeros | kFlush;
    // To set it takes longer than to look, and who executes many instructions has done so.
    changes_ = ((before_ ^ wanted) & ~kExceptions) != 0;
    if (changes_) _mm_setcsr(wanted);
  }

  unsigned before_;
  bool changes_;
};

#endif

} // namespace lanewise
