// A program of tt-metal as plain data: what a host program says of it, with nothing decided
// (docs/programs.md). What each core sees of it, grid.h says; addresses are decided by layout.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "chip/isa/arch.h"
#include "source/programs/cores.h"
#include "source/programs/formats.h"

namespace lanewise::programs {

/// Where a user wrote something: a path of JSON such as "kernels[1].runtime_args", or a line of a
/// host program. Stands in front of messages.
using Origin = std::string;

enum class Processor : std::uint8_t { Riscv0, Riscv1, Compute };

/// "riscv_0", "riscv_1", "compute".
std::string_view processor_name(Processor processor);

/// An argument that is the address of a buffer, or one behind it that lies in the buffer, too.
struct AddressOf {
  std::string buffer;
  std::uint32_t offset = 0; ///< in bytes, of each bank in which the buffer has pages

  friend bool operator==(const AddressOf&, const AddressOf&) = default;
};

/// A coordinate by which the NoC knows a core.
struct PlaceOf {
  Core core;
  bool is_row = false; ///< y; else x

  friend bool operator==(const PlaceOf&, const PlaceOf&) = default;
};
using Argument = std::variant<std::uint32_t, AddressOf, PlaceOf>;

/// Compile-time arguments: the same, and what TensorAccessorArgs appends for a buffer.
struct AccessorOf {
  std::string buffer;

  friend bool operator==(const AccessorOf&, const AccessorOf&) = default;
};
using CompileArgument = std::variant<std::uint32_t, AddressOf, PlaceOf, AccessorOf>;

enum class Fidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

/// How a compute kernel is compiled (ComputeConfig).
struct ComputeSettings {
  Fidelity fidelity = Fidelity::HiFi4;
  bool fp32_dest = false;
  bool full_sync = false;
  bool approximates = false;
  bool packs_bfp8_precisely = false;
  std::vector<unsigned> unpack_to_dest; ///< circular buffers whose FP32 goes to Dst as it is
};

struct Kernel {
  Origin origin;
  std::string file;     ///< as the user names it; empty where there is `text`
  std::string named_in; ///< the host program's file that names it, or ""
  std::string text;     ///< of the source
  Processor processor = Processor::Riscv0;
  unsigned noc = 0;        ///< of a kernel that moves data
  bool is_dynamic = false; ///< it may use both NoCs (DM_DYNAMIC_NOC)
  ComputeSettings compute;
  std::vector<CompileArgument> compile_args;
  std::map<std::string, CompileArgument> named_args;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> includes;
  CoreSet cores;                      ///< that run it; empty: the program's own
  std::vector<Argument> runtime_args; ///< on each of them that has none of its own
  std::map<Core, std::vector<Argument>> runtime_args_at;
  std::vector<Argument> common_args;
  std::string optimisation; ///< "" or an option such as "O3", which changes nothing here
};

/// The shape of a tile in a circular buffer.
struct TileShape {
  unsigned rows = 32, columns = 32;

  friend bool operator==(const TileShape&, const TileShape&) = default;
};

/// One of the indices of a circular buffer.
struct CbIndex {
  unsigned index = 0;
  DataFormat format = DataFormat::Invalid;
  std::uint32_t page_bytes = 0;
  TileShape tile;
};

struct CircularBuffer {
  Origin origin;
  std::uint32_t bytes = 0;
  std::vector<CbIndex> indices;                        ///< that share the memory
  std::string buffer;                                  ///< of L1 in whose memory it lies; or ""
  CoreSet cores = {};                                  ///< that have it; empty: the program's own
  std::optional<std::uint32_t> address = std::nullopt; ///< where it was put; else it is given one
};

struct Semaphore {
  Origin origin;
  unsigned id = 0;
  std::uint32_t initial = 0;
  CoreSet cores = {}; ///< that have it; empty: the program's own
};

enum class BufferMemory : std::uint8_t { Dram, L1 };

/// How the pages of a buffer lie on cores, or in banks of DRAM: a tensor of two dimensions, cut
/// into shards, of which each core has one after the other (BufferDistributionSpec). Sides are in
/// pages.
struct Shards {
  std::vector<Core> cores; ///< shard k is on cores[k % cores.size()]; of DRAM, x is the bank
  std::array<std::uint32_t, 2> tensor{}, shard{};

  std::uint64_t pages() const { return std::uint64_t{shard[0]} * shard[1]; } ///< of a shard
  std::uint64_t columns() const { return (std::uint64_t{tensor[1]} + shard[1] - 1) / shard[1]; }
  std::uint64_t count() const {
    return (std::uint64_t{tensor[0]} + shard[0] - 1) / shard[0] * columns();
  }
};

struct Buffer {
  Origin origin;
  std::string name;
  BufferMemory memory = BufferMemory::Dram;
  std::uint64_t bytes = 0;
  std::uint64_t page_bytes = 0;
  std::optional<std::uint64_t> address; ///< where a host has put it; else it is given one
  bool is_sharded = false;              ///< on the program's own core, or as `shards` says
  bool is_interleaved = false;          ///< L1: page by page over all cores of the grid
  std::optional<Shards> shards;
  std::vector<std::uint8_t> contents; ///< page after page; empty: as the memory has it
  bool is_written = false;            ///< the memory has something for it
};

/// A buffer that the host has given back.
struct FreedBuffer {
  Origin origin;   ///< where it was made
  Origin given_at; ///< where it was given back, or ""
  BufferMemory memory = BufferMemory::Dram;
  std::uint64_t address = 0, bank_bytes = 0;
};

struct Program {
  Arch arch = kDefaultArch;
  Core core;                        ///< of what names no cores
  std::optional<Core> grid;         ///< columns and rows of the device; else the chip's
  std::optional<Core> buffers_core; ///< that has buffers in L1 without shards; else `core`
  std::vector<Buffer> buffers;      ///< in the order in which they are given addresses
  std::vector<FreedBuffer> freed;   ///< the last of them at the end
  std::vector<CircularBuffer> circular_buffers;
  std::vector<Semaphore> semaphores;
  std::vector<Kernel> kernels;
};

/// nullptr if there is none.
const Buffer* find_buffer(const Program& program, std::string_view name);
const Kernel* find_kernel(const Program& program, Processor processor);

/// A fault of what stands at `origin`.
Unexpected at_origin(const Origin& origin, std::string message, std::string remedy);

} // namespace lanewise::programs
