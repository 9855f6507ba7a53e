// Which bytes of L1 and DRAM were ever written: by the host, by the NoC, by packers, by kernels.
// What was read and never written is found where nothing of it was: a page that is filled in part
// may be used in part.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/found.h"
#include "run/launch/rings.h"
#include "source/programs/banks.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

/// Ranges of bytes that are in a set.
class ByteRanges {
 public:
  void add(std::uint64_t begin, std::uint64_t end);
  /// Whether one of the bytes is in it.
  bool has_any(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::map<std::uint64_t, std::uint64_t> end_of_; ///< by begin; neither meet nor touch
};

/// A page of a buffer of which the host or an earlier program has written something, with what
/// follows it up to the next one: that comes along in reads of both.
struct WrittenPage {
  const programs::Buffer* buffer = nullptr;
  programs::PagePlace place;
  std::uint64_t end = 0;
};
void for_written_pages(const programs::Program& program, const programs::Layout& layout,
                       const std::function<void(const WrittenPage&)>& each);

/// " of buffer 'a'", with where it was made; "" if no buffer lies there.
std::string of_buffer(const programs::Program& program, const programs::Layout& layout,
                      programs::BufferMemory memory, std::uint64_t address);

/// Who should write first what was asked for.
inline constexpr std::string_view kWriteFirst = "let the host or a kernel write there first";

class Written {
 public:
  /// `l1` and `banks` as they are when the kernels begin. `is_shared`: other cores write to DRAM,
  /// too, so that nothing is known of it.
  Written(const programs::Program& program, const programs::Layout& layout,
          std::span<const std::uint8_t> l1, std::vector<std::span<std::uint8_t>> banks,
          bool is_shared, FoundLog& found);

  void see(const noc::NocEvent& event);
  /// Of L1, by a core or a packer.
  void write(std::uint64_t address, std::uint64_t bytes);
  /// Of L1, by a core.
  void load(unsigned core, const LineOf& line, std::uint64_t address, std::uint64_t bytes);
  /// A page that an unpacker takes.
  void unpack(std::uint32_t line, std::uint64_t page, const programs::CbPlace& ring,
              const Rings& rings);

 private:
  ByteRanges& ranges_at(const noc::Location& location) {
    return location.memory == noc::Location::Memory::L1 ? l1_ : dram_[location.bank];
  }
  /// Whether it is known who writes there.
  bool is_known(const noc::Location& location) const {
    return location.memory == noc::Location::Memory::L1 ||
           (location.memory == noc::Location::Memory::Dram && !is_shared_);
  }
  bool is_new(const noc::Location& location, std::uint64_t bytes);
  void check_source(const noc::Transaction& t);

  const programs::Program& program_;
  const programs::Layout& layout_;
  std::span<const std::uint8_t> l1_bytes_;
  std::vector<std::span<std::uint8_t>> banks_;
  bool is_shared_;
  FoundLog& found_;
  ByteRanges l1_;
  std::vector<ByteRanges> dram_; ///< by bank
};

} // namespace lanewise::launch
