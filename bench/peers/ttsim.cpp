#include "peers/ttsim.h"

#include <array>
#include <vector>

#include "base/shared_library.h"

namespace lanewise::bench {

namespace {

// Windows of 2 MiB from the host to a tile (ISA documentation, BlackholeA0/PCIExpressTile): the
// first two, their configurations behind each other.
constexpr std::uint32_t kWindow = 0x20'0000, kWindowConfigurations = 0x1FC0'0000;
constexpr std::uint32_t kRegistersFrom =
    0xFFA0'0000; ///< a multiple of a window, below the debug registers
constexpr std::uint32_t kTileX = 1, kTileY = 2; ///< the first Tensix tile, on NoC 0

constexpr std::uint32_t kSoftReset = 0xFFB1'21B0; ///< RISCV_DEBUG_REG_SOFT_RESET_0
constexpr std::uint32_t kAllCores = 0x4'7800, kBrisc = 0x800;

// Where things lie in L1, and where BRISC pushes words of thread 1 (core.md).
constexpr std::uint32_t kCode = 0, kDone = 0x1000, kOnce = 0x1'0000, kAgain = 0x2'0000;
constexpr std::uint32_t kPushTo = 0xFFE5'0000;

/// Instructions of RV32I, in the fields of the RISC-V manual.
enum Register : std::uint32_t {
  kZero = 0,
  kFifo = 5,
  kLeft = 6,
  kNext = 7,
  kEnd = 28,
  kWord = 29,
  kPause = 30
};

constexpr std::uint32_t lui(Register to, std::uint32_t value) {
  return (value & 0xFFFF'F000U) | to << 7 | 0x37;
}
constexpr std::uint32_t addi(Register to, Register from, std::int32_t value) {
  return static_cast<std::uint32_t>(value) << 20 | from << 15 | to << 7 | 0x13;
}
constexpr std::uint32_t lw(Register to, Register at) {
  return at << 15 | 2U << 12 | to << 7 | 0x03;
}
constexpr std::uint32_t sw(Register value, Register at) {
  return value << 20 | at << 15 | 2U << 12 | 0x23;
}
/// `offset` in bytes, from -4096 to 4094.
constexpr std::uint32_t bne(Register a, Register b, std::int32_t offset) {
  const auto bits = static_cast<std::uint32_t>(offset);
  return (bits >> 12 & 1) << 31 | (bits >> 5 & 63) << 25 | b << 20 | a << 15 | 1U << 12 |
         (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}
constexpr std::uint32_t kStayHere = 0x6F; ///< jal x0, 0

class Code {
 public:
  void add(std::initializer_list<std::uint32_t> words) { words_.insert(words_.end(), words); }
  void set(Register to, std::uint32_t value) {
    const std::uint32_t upper = value + 0x800; // addi extends the sign
    add({lui(to, upper), addi(to, to, static_cast<std::int32_t>(value << 20) >> 20)});
  }
  /// Pushes what lies in L1, with a pause of two instructions for each of `pause` behind each word;
  /// nothing of an empty array.
  void push(std::uint32_t address, std::size_t words, std::uint32_t pause) {
    if (words == 0) return;
    set(kNext, address);
    set(kEnd, address + static_cast<std::uint32_t>(4 * words));
    const std::int32_t loop = size();
    add({lw(kWord, kNext), sw(kWord, kFifo), addi(kNext, kNext, 4)});
    if (pause != 0) {
      set(kPause, pause);
      add({addi(kPause, kPause, -1), bne(kPause, kZero, -4)});
    }
    add({bne(kNext, kEnd, loop - size())});
  }
  std::int32_t size() const { return static_cast<std::int32_t>(4 * words_.size()); }
  std::span<const std::uint32_t> words() const { return words_; }

 private:
  std::vector<std::uint32_t> words_;
};

} // namespace

Ttsim::Ttsim(const std::string& library) {
  const SharedLibrary loaded(library);
  void (*start)() = nullptr;
  std::uint32_t (*configuration)(std::uint32_t device, std::uint32_t offset) = nullptr;
  loaded.find(start, "libttsim_init");
  loaded.find(configuration, "libttsim_pci_config_rd32");
  loaded.find(clock_, "libttsim_clock");
  loaded.find(read_bytes_, "libttsim_pci_mem_rd_bytes");
  loaded.find(write_bytes_, "libttsim_pci_mem_wr_bytes");
  start();
  constexpr std::uint32_t kBar0 = 0x10, kFlags = 15;
  bar_ = (configuration(0, kBar0) & ~kFlags) | std::uint64_t{configuration(0, kBar0 + 4)} << 32;
  for (const std::uint32_t window : {0U, 1U}) {
    const std::uint32_t first = window == 0 ? 0 : kRegistersFrom / kWindow;
    // Bits 42:0 the address, then six each of x and y.
    const std::array<std::uint32_t, 3> words{first, kTileX << 11 | kTileY << 17, 0};
    for (std::size_t i = 0; i < words.size(); ++i)
      write_bytes_(bar_ + kWindowConfigurations + window * sizeof words + 4 * i, &words[i], 4);
  }
}

void Ttsim::write(std::uint32_t address, std::span<const std::uint32_t> words) {
  const std::uint64_t at = address < kWindow ? address : kWindow + (address - kRegistersFrom);
  for (std::size_t i = 0; i < words.size(); ++i)
    write_bytes_(bar_ + at + 4 * i, &words[i], sizeof words[i]);
}

std::uint32_t Ttsim::read(std::uint32_t address) {
  std::uint32_t word = 0;
  read_bytes_(bar_ + address, &word, sizeof word);
  return word;
}

void Ttsim::run(std::span<const std::uint32_t> once, std::span<const std::uint32_t> again,
                std::uint32_t times, std::uint32_t pause) {
  Code code;
  code.set(kFifo, kPushTo);
  code.push(kOnce, once.size(), 0);
  code.set(kLeft, times);
  const std::int32_t loop = code.size();
  code.push(kAgain, again.size(), pause);
  code.add({addi(kLeft, kLeft, -1)});
  code.add({bne(kLeft, kZero, loop - code.size())});
  code.set(kNext, kDone);
  code.add({addi(kWord, kZero, 1), sw(kWord, kNext), kStayHere});

  const auto put = [this](std::uint32_t address, std::uint32_t word) {
    write(address, {&word, 1});
  };
  put(kSoftReset, kAllCores);
  put(kDone, 0);
  write(kCode, code.words());
  write(kOnce, once);
  write(kAgain, again);
  put(kSoftReset, kAllCores & ~kBrisc);
  constexpr std::uint32_t kClocks = 1000;
  while (read(kDone) == 0) clock_(kClocks);
}

} // namespace lanewise::bench
