#include "source/programs/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <set>
#include <type_traits>
#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/noc_record.h"
#include "chip/noc/places.h"
#include "source/programs/banks.h"
#include "source/programs/grid.h"

namespace lanewise::programs {

namespace {

constexpr std::uint32_t kWord = 4, kL1Alignment = 16;

std::size_t index_of(const Program& program, std::string_view buffer) {
  return static_cast<std::size_t>(find_buffer(program, buffer) - program.buffers.data());
}

/// Lays a program out, step by step; each step checks what it needs.
class Placing {
 public:
  explicit Placing(const Program& program)
      : program_(program), noc_(*noc_record(program.arch)), tile_(arch_params(program.arch).tile) {}

  Expected<Layout> run() {
    for (const auto step : {&Placing::check_kernels, &Placing::check_names, &Placing::place_buffers,
                            &Placing::check_offsets, &Placing::place_circular_buffers,
                            &Placing::place_arguments, &Placing::check_semaphores}) {
      if (auto done = (this->*step)(); !done) return Unexpected(done.error());
    }
    return std::move(layout_);
  }

  Expected<Layout> run_buffers() {
    if (auto placed = place_buffers(); !placed) return Unexpected(placed.error());
    return std::move(layout_);
  }

 private:
  Expected<void> check_kernels() {
    if (program_.kernels.empty()) return at_origin("", "the program has no kernel", "add one");
    for (const Kernel& kernel : program_.kernels) {
      const Kernel* const other = find_kernel(program_, kernel.processor);
      if (other != &kernel)
        return at_origin(kernel.origin,
                         fmt::format("{} has a kernel already, {}",
                                     processor_name(kernel.processor), other->origin),
                         "give each processor of a core one kernel");
    }
    const Kernel* const first = find_kernel(program_, Processor::Riscv0);
    const Kernel* const second = find_kernel(program_, Processor::Riscv1);
    if (first == nullptr || second == nullptr) return {};
    if (first->is_dynamic != second->is_dynamic)
      return at_origin(second->origin,
                       fmt::format("one of this kernel and {} has NoCs for itself, and the other "
                                   "shares them",
                                   first->origin),
                       "give both the same mode of the NoC");
    if (!first->is_dynamic && first->noc == second->noc)
      return at_origin(second->origin,
                       fmt::format("this kernel and {} both use NoC {}, and each would count the "
                                   "other's answers",
                                   first->origin, first->noc),
                       "give them different NoCs, or let both share (DM_DYNAMIC_NOC)");
    return {};
  }

  Expected<void> check_name(const Origin& origin, const std::string& name) const {
    if (find_buffer(program_, name) != nullptr) return {};
    return at_origin(origin, fmt::format("there is no buffer {}", in_quotes(name)),
                     "name one of the program's buffers");
  }

  template <class Arguments>
  Expected<void> check_arguments(const Kernel& kernel, const Arguments& arguments) const {
    for (const auto& each : arguments) {
      if (const auto* const address = std::get_if<AddressOf>(&each)) {
        if (auto known = check_name(kernel.origin, address->buffer); !known) return known;
      }
      const auto* const place = std::get_if<PlaceOf>(&each);
      if (place != nullptr && !noc::worker_place(program_.arch, place->core.x, place->core.y))
        return at_origin(kernel.origin, fmt::format("there is no core {}", core_text(place->core)),
                         "name a core of the grid");
    }
    return {};
  }

  Expected<void> check_names() {
    for (std::size_t i = 0; i < program_.buffers.size(); ++i)
      if (find_buffer(program_, program_.buffers[i].name) != &program_.buffers[i])
        return at_origin(
            program_.buffers[i].origin,
            fmt::format("there is another buffer {}", in_quotes(program_.buffers[i].name)),
            "give each a name of its own");
    for (const Kernel& kernel : program_.kernels) {
      std::vector<CompileArgument> compile = kernel.compile_args;
      for (const auto& [name, value] : kernel.named_args) compile.push_back(value);
      for (const CompileArgument& each : compile) {
        const auto* const accessor = std::get_if<AccessorOf>(&each);
        if (accessor == nullptr) continue;
        if (auto known = check_name(kernel.origin, accessor->buffer); !known) return known;
      }
      for (auto checked :
           {check_arguments(kernel, compile), check_arguments(kernel, kernel.runtime_args),
            check_arguments(kernel, kernel.common_args)}) {
        if (!checked) return checked;
      }
    }
    return {};
  }

  // -------------------------------------------------------------- Buffers

  Expected<void> place_buffers() {
    if (auto checked = check_interleaving(); !checked) return checked;
    layout_.l1_banks = l1_banks(program_);
    std::uint64_t dram = noc_.dram_begin, l1 = tile_.l1_bytes;
    for (const Buffer& buffer : program_.buffers) {
      const bool is_dram = buffer.memory == BufferMemory::Dram;
      if (buffer.page_bytes == 0 || buffer.bytes == 0 || buffer.bytes % buffer.page_bytes != 0)
        return at_origin(buffer.origin,
                         fmt::format("buffer {} has {} bytes in pages of {}",
                                     in_quotes(buffer.name), buffer.bytes, buffer.page_bytes),
                         "make its size a multiple of its page's size, and neither 0");
      BufferPlace place;
      place.aligned_page =
          round_up(buffer.page_bytes, is_dram ? noc_.dram_alignment : kL1Alignment);
      place.pages = buffer.bytes / buffer.page_bytes;
      if (auto checked = check_shards(buffer, place.pages); !checked) return checked;
      const std::uint64_t banks = is_dram ? noc_.banks.size() : layout_.l1_banks.size();
      const std::uint64_t rounds =
          buffer.shards ? pages_of_core(*buffer.shards) : (place.pages + banks - 1) / banks;
      const std::uint64_t room = is_dram ? noc_.bank_bytes : tile_.l1_bytes;
      if (place.aligned_page > room || rounds > room / place.aligned_page)
        return too_large(buffer, room, is_dram);
      place.bank_bytes = rounds * place.aligned_page;
      if (!buffer.contents.empty() && buffer.contents.size() != buffer.bytes)
        return at_origin(buffer.origin,
                         fmt::format("buffer {} has {} bytes, and its contents have {}",
                                     in_quotes(buffer.name), buffer.bytes, buffer.contents.size()),
                         "give contents for all of it");
      if (buffer.address) {
        place.address = *buffer.address;
      } else if (is_dram) {
        place.address = dram;
        dram = round_up(dram + place.bank_bytes, noc_.dram_alignment);
      } else if (place.bank_bytes <= l1) {
        place.address = l1 = (l1 - place.bank_bytes) / noc_.dram_alignment * noc_.dram_alignment;
      } else {
        return too_large(buffer, room, is_dram);
      }
      if (place.address > room || place.bank_bytes > room - place.address)
        return too_large(buffer, room, is_dram);
      if (is_dram)
        layout_.dram_bytes = std::max(layout_.dram_bytes, place.address + place.bank_bytes);
      layout_.buffers.push_back(place);
    }
    return {};
  }

  Expected<void> check_shards(const Buffer& buffer, std::uint64_t pages) const {
    if (!buffer.shards) return {};
    const Shards& shards = *buffer.shards;
    const auto wrong = [&](std::string message, std::string remedy) {
      return at_origin(buffer.origin, fmt::format("buffer {} {}", in_quotes(buffer.name), message),
                       std::move(remedy));
    };
    if (shards.cores.empty() || shards.pages() == 0 || shards.tensor[0] == 0 ||
        shards.tensor[1] == 0)
      return wrong("has shards without cores or pages", "give both at least one");
    if (std::uint64_t{shards.tensor[0]} * shards.tensor[1] != pages)
      return wrong(fmt::format("has {} pages, and its tensor {} x {}", pages, shards.tensor[0],
                               shards.tensor[1]),
                   "give the tensor's sides in pages");
    if (shards.pages() > tile_.l1_bytes) return too_large(buffer, tile_.l1_bytes, false);
    const bool is_dram = buffer.memory == BufferMemory::Dram;
    std::set<Core> used;
    for (const Core& core : shards.cores) {
      const bool is_there = is_dram ? core.y == 0 && core.x < noc_.banks.size()
                                    : noc::worker_place(program_.arch, core.x, core.y).has_value();
      if (!is_there)
        return wrong(fmt::format("has a shard {} {}, which is not there",
                                 is_dram ? "in bank" : "on core", core_text(core)),
                     is_dram ? fmt::format("write [BANK, 0] of a bank below {}", noc_.banks.size())
                             : "choose cores of the grid");
      if (!used.insert(core).second)
        return wrong(fmt::format("names {} {} twice for its shards", is_dram ? "bank" : "core",
                                 core_text(core)),
                     "name each once: further shards go round");
    }
    return {};
  }

  /// Kernels have one table of the banks of L1.
  Expected<void> check_interleaving() const {
    const auto is_whole = [](const Buffer& buffer) {
      return buffer.memory == BufferMemory::L1 && !buffer.is_interleaved && !buffer.is_sharded;
    };
    const auto interleaved = std::ranges::find_if(program_.buffers, &Buffer::is_interleaved);
    if (interleaved == program_.buffers.end()) return {};
    const Core grid = grid_of(program_);
    if (grid.x == 0 || grid.y == 0 || grid.x > noc_.compute_grid.x || grid.y > noc_.compute_grid.y)
      return at_origin(interleaved->origin,
                       fmt::format("buffer {} is interleaved over a grid of {} x {} cores",
                                   in_quotes(interleaved->name), grid.x, grid.y),
                       fmt::format("choose one of 1 x 1 up to {} x {}", noc_.compute_grid.x,
                                   noc_.compute_grid.y));
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.is_interleaved && (buffer.memory != BufferMemory::L1 || buffer.is_sharded))
        return at_origin(buffer.origin,
                         fmt::format("buffer {} is interleaved over cores, and in DRAM or sharded",
                                     in_quotes(buffer.name)),
                         "choose one of them; in DRAM, pages go round the banks by themselves");
      if (is_whole(buffer))
        return at_origin(
            buffer.origin,
            fmt::format("buffer {} lies whole on a core, and buffer {} is interleaved over all, of "
                        "which kernels have one table",
                        in_quotes(buffer.name), in_quotes(interleaved->name)),
            "make both interleaved, or give one of them shards");
    }
    return {};
  }

  static Unexpected too_large(const Buffer& buffer, std::uint64_t room, bool is_dram) {
    return at_origin(buffer.origin,
                     fmt::format("buffer {} does not fit into {}, which has 0x{:x} bytes",
                                 in_quotes(buffer.name), is_dram ? "a bank of DRAM" : "L1", room),
                     "make it smaller");
  }

  /// Addresses of arguments lie in their buffers.
  Expected<void> check_offsets() {
    for (const Kernel& kernel : program_.kernels) {
      for (const CompileArgument& each : kernel.compile_args)
        if (auto inside = check_offset(kernel, each); !inside) return inside;
      for (const auto& [name, each] : kernel.named_args)
        if (auto inside = check_offset(kernel, each); !inside) return inside;
      for (const auto* const arguments : {&kernel.runtime_args, &kernel.common_args})
        for (const Argument& each : *arguments)
          if (auto inside = check_offset(kernel, each); !inside) return inside;
    }
    return {};
  }

  template <class AnyArgument>
  Expected<void> check_offset(const Kernel& kernel, const AnyArgument& argument) const {
    const auto* const address = std::get_if<AddressOf>(&argument);
    if (address == nullptr) return {};
    const BufferPlace& place = layout_.buffers[index_of(program_, address->buffer)];
    if (address->offset < place.bank_bytes) return {};
    return at_origin(kernel.origin,
                     fmt::format("an argument lies {} bytes behind the beginning of buffer {}, "
                                 "which has {} bytes in each bank of its memory",
                                 address->offset, in_quotes(address->buffer), place.bank_bytes),
                     "choose an offset within it");
  }

  // -------------------------------------------------------------- Circular buffers

  Expected<void> place_circular_buffers() {
    std::uint64_t next = noc_.l1_begin;
    std::bitset<256> used;
    for (std::size_t i = 0; i < program_.circular_buffers.size(); ++i) {
      const CircularBuffer& cb = program_.circular_buffers[i];
      if (cb.bytes == 0 || cb.bytes > tile_.l1_bytes || cb.indices.empty())
        return at_origin(cb.origin,
                         fmt::format("a circular buffer of {} bytes and {} indices", cb.bytes,
                                     cb.indices.size()),
                         "give it a size that fits into L1, and an index");
      std::uint64_t address = next;
      if (cb.address) {
        address = *cb.address;
        next = std::max(next, round_up(address + cb.bytes, noc_.dram_alignment));
      } else if (cb.buffer.empty()) {
        next = round_up(next + cb.bytes, noc_.dram_alignment);
      } else if (auto found = address_in_buffer(cb)) {
        address = *found;
      } else {
        return Unexpected(found.error());
      }
      for (const CbIndex& index : cb.indices) {
        if (auto fits = check_index(cb, index); !fits) return fits;
        if (used[index.index])
          return at_origin(cb.origin,
                           fmt::format("index {} is another circular buffer's, too", index.index),
                           "give each index to one circular buffer of a core");
        used[index.index] = true;
        layout_.circular_buffers.push_back({.index = index.index,
                                            .buffer = i,
                                            .address = static_cast<std::uint32_t>(address),
                                            .bytes = cb.bytes,
                                            .pages = cb.bytes / index.page_bytes,
                                            .page_bytes = index.page_bytes});
      }
      if (next > tile_.l1_bytes)
        return at_origin(cb.origin,
                         fmt::format("the circular buffers end at 0x{:x}, behind the end of L1, "
                                     "0x{:x}",
                                     next, tile_.l1_bytes),
                         "give them fewer pages");
    }
    layout_.cb_end = static_cast<std::uint32_t>(next);
    return {};
  }

  Expected<std::uint64_t> address_in_buffer(const CircularBuffer& cb) const {
    const auto found = std::ranges::find(program_.buffers, cb.buffer, &Buffer::name);
    if (found == program_.buffers.end() || found->memory != BufferMemory::L1)
      return at_origin(cb.origin, fmt::format("there is no buffer {} in L1", in_quotes(cb.buffer)),
                       "name a buffer of L1");
    const auto& place = layout_.buffers[static_cast<std::size_t>(found - program_.buffers.begin())];
    if (cb.bytes > place.bank_bytes)
      return at_origin(cb.origin,
                       fmt::format("{} bytes do not fit into buffer {}, which has {} on a core",
                                   cb.bytes, in_quotes(cb.buffer), place.bank_bytes),
                       "make the circular buffer smaller");
    return place.address;
  }

  Expected<void> check_index(const CircularBuffer& cb, const CbIndex& index) const {
    if (index.index >= noc_.circular_buffers)
      return at_origin(
          cb.origin,
          fmt::format("index {} is above {}, the largest", index.index, noc_.circular_buffers - 1),
          "choose a smaller one");
    // The threads count pages in 16 bytes, cores that move data in bytes.
    const std::uint32_t unit =
        find_kernel(program_, Processor::Compute) != nullptr ? kL1Alignment : kWord;
    if (index.page_bytes == 0 || index.page_bytes % unit != 0 || cb.bytes % index.page_bytes != 0)
      return at_origin(
          cb.origin,
          fmt::format("circular buffer {} has {} bytes in pages of {}", index.index, cb.bytes,
                      index.page_bytes),
          fmt::format("make the page a multiple of {} bytes, and the whole a multiple of the page",
                      unit));
    const TileShape tile = index.tile;
    const bool is_tile = (tile.rows == 32 || tile.rows == 16 || tile.rows == 8 || tile.rows == 4 ||
                          tile.rows == 2 || tile.rows == 1) &&
                         (tile.columns == 32 || tile.columns == 16);
    if (!is_tile)
      return at_origin(cb.origin,
                       fmt::format("there are no tiles of {} x {}", tile.rows, tile.columns),
                       "choose 1, 2, 4, 8, 16 or 32 rows and 16 or 32 columns");
    return {};
  }

  // -------------------------------------------------------------- Arguments, semaphores

  Expected<void> place_arguments() {
    for (unsigned i = 0; i < kProcessors; ++i) {
      ArgumentPlace& place = layout_.arguments[i];
      place.guard = kArguments + (2 * i + 1) * kGuardBytes;
      place.own = place.common = place.guard;
      const Kernel* const kernel = find_kernel(program_, static_cast<Processor>(i));
      if (kernel == nullptr) continue;
      const std::size_t own = kernel->runtime_args.size(), common = kernel->common_args.size();
      if (own + common > kMostArguments)
        return at_origin(kernel->origin,
                         fmt::format("{} runtime arguments, of which {} are common, are more than "
                                     "{}",
                                     own + common, common, kMostArguments),
                         "put tables into a buffer");
      place.own_words = static_cast<std::uint32_t>(own);
      place.common_words = static_cast<std::uint32_t>(common);
      place.own = place.guard - place.own_words * kWord;
      // Where there are no others, the common ones stand in front of the page.
      place.common = place.own - place.common_words * kWord;
    }
    return {};
  }

  Expected<void> check_semaphores() {
    std::bitset<kMostSemaphores> used;
    for (const Semaphore& semaphore : program_.semaphores) {
      if (semaphore.id >= kMostSemaphores || used[semaphore.id])
        return at_origin(semaphore.origin,
                         fmt::format("there is no semaphore {} to be had", semaphore.id),
                         "give each a number of its own, below 16");
      used[semaphore.id] = true;
    }
    return {};
  }

  const Program& program_;
  const NocRecord& noc_;
  const TileParams& tile_;
  Layout layout_;
};

} // namespace

Expected<Layout> lay_out(const Program& program) {
  auto layout = place_all(program);
  if (!layout) return layout;
  if (auto apart = check_l1(program, *layout); !apart) return Unexpected(apart.error());
  return layout;
}

Expected<void> check_l1(const Program& program, const Layout& layout) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    const std::uint64_t begin = layout.buffers[i].address;
    if (buffer.memory != BufferMemory::L1 || begin >= layout.cb_end) continue;
    const auto reaches = std::ranges::find_if(layout.circular_buffers, [&](const CbPlace& cb) {
      return program.circular_buffers[cb.buffer].buffer.empty() && cb.address + cb.bytes > begin;
    });
    if (reaches == layout.circular_buffers.end()) continue;
    const std::string& other = buffer.origin;
    return at_origin(
        program.circular_buffers[reaches->buffer].origin,
        fmt::format("circular buffer c_{} has L1 from 0x{:x} up to 0x{:x}, and buffer {}{} begins "
                    "at 0x{:x}",
                    reaches->index, reaches->address, reaches->address + reaches->bytes,
                    in_quotes(buffer.name), other.empty() ? "" : fmt::format(" ({})", other),
                    begin),
        "make circular buffers or buffers in L1 smaller; --map shows all of L1");
  }
  return {};
}

Expected<Layout> lay_out_buffers(const Program& program) {
  if (noc_record(program.arch) == nullptr)
    return bad_input(fmt::format("{} has no NoC here", arch_params(program.arch).names.full),
                     "choose another chip");
  return Placing(program).run_buffers();
}

Expected<Layout> place_all(const Program& program) {
  if (noc_record(program.arch) == nullptr)
    return bad_input(fmt::format("{} has no NoC here", arch_params(program.arch).names.full),
                     "choose another chip");
  if (!noc::worker_place(program.arch, program.core.x, program.core.y))
    return bad_input(fmt::format("there is no core {}", core_text(program.core)),
                     "choose a core of the grid");
  return Placing(program).run();
}

std::uint32_t resolve(const Program& program, const Layout& layout, const Argument& argument) {
  if (const auto* const number = std::get_if<std::uint32_t>(&argument)) return *number;
  if (const auto* const place = std::get_if<PlaceOf>(&argument)) {
    const NocPlace noc = *noc::worker_place(program.arch, place->core.x, place->core.y);
    return place->is_row ? noc.y : noc.x;
  }
  const auto& address = std::get<AddressOf>(argument);
  const std::size_t buffer = index_of(program, address.buffer);
  return static_cast<std::uint32_t>(layout.buffers[buffer].address + address.offset);
}

std::vector<std::uint32_t> resolve_compile_args(const Program& program, const Layout& layout,
                                                std::span<const CompileArgument> arguments) {
  std::vector<std::uint32_t> words;
  for (const CompileArgument& each : arguments) {
    if (const auto* const accessor = std::get_if<AccessorOf>(&each)) {
      append_accessor(program, layout, index_of(program, accessor->buffer), words);
    } else if (const auto* const address = std::get_if<AddressOf>(&each)) {
      words.push_back(resolve(program, layout, *address));
    } else if (const auto* const place = std::get_if<PlaceOf>(&each)) {
      words.push_back(resolve(program, layout, *place));
    } else {
      words.push_back(std::get<std::uint32_t>(each));
    }
  }
  return words;
}

} // namespace lanewise::programs
