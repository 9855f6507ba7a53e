#include "source/programs/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "chip/isa/noc_record.h"
#include "chip/noc/places.h"

namespace lanewise::programs {

namespace {

/// Of something that names no cores: the program's own.
CoreSet set_of(const CoreSet& cores, const Program& program) {
  return cores.empty() ? CoreSet{{program.core, program.core}} : cores;
}

/// Which of `items` a core has, by their places in the program.
template <class Item>
std::vector<std::size_t> indices_on(const std::vector<Item>& items, const Program& program,
                                    const Core& core) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (has_core(set_of(items[i].cores, program), core)) indices.push_back(i);
  return indices;
}

Expected<void> check_cores(const Origin& origin, const CoreSet& cores, const Core& grid) {
  for (const CoreRange& range : cores) {
    if (range.last.x < grid.x && range.last.y < grid.y) continue;
    return at_origin(origin,
                     fmt::format("core {} is not there: the grid has {} columns and {} rows",
                                 core_text(range.last), grid.x, grid.y),
                     "choose cores of the grid");
  }
  return {};
}

Expected<void> check_all_cores(const Program& program) {
  const Core grid = grid_of(program);
  const NocPlace most = noc_record(program.arch)->compute_grid;
  if (grid.x == 0 || grid.y == 0 || grid.x > most.x || grid.y > most.y)
    return at_origin("", fmt::format("there is no grid of {} x {} cores", grid.x, grid.y),
                     fmt::format("choose one of 1 x 1 up to {} x {}", most.x, most.y));
  for (const Kernel& kernel : program.kernels)
    if (auto there = check_cores(kernel.origin, set_of(kernel.cores, program), grid); !there)
      return there;
  for (const CircularBuffer& cb : program.circular_buffers)
    if (auto there = check_cores(cb.origin, set_of(cb.cores, program), grid); !there) return there;
  for (const Semaphore& semaphore : program.semaphores)
    if (auto there = check_cores(semaphore.origin, set_of(semaphore.cores, program), grid); !there)
      return there;
  for (const Buffer& buffer : program.buffers) {
    if (!buffer.shards || buffer.memory != BufferMemory::L1) continue;
    for (const Core& core : buffer.shards->cores)
      if (auto there = check_cores(buffer.origin, {{core, core}}, grid); !there) return there;
  }
  for (const Kernel& kernel : program.kernels)
    for (const auto& [core, arguments] : kernel.runtime_args_at)
      if (!has_core(set_of(kernel.cores, program), core))
        return at_origin(
            kernel.origin,
            fmt::format("has arguments for core {}, which does not run it", core_text(core)),
            "give arguments to cores of the kernel");
  return {};
}

/// A copy in which circular buffers in memory of their own have their addresses.
Program with_addresses(const Program& program) {
  Program result = program;
  const NocRecord& record = *noc_record(program.arch);
  const Core grid = grid_of(program);
  std::map<Core, std::uint64_t> next;
  for (CircularBuffer& cb : result.circular_buffers) {
    if (!cb.buffer.empty() || cb.bytes > arch_params(program.arch).tile.l1_bytes) continue;
    const CoreSet cores = set_of(cb.cores, program);
    std::vector<Core> of_cb;
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x)
        if (has_core(cores, {x, y})) of_cb.push_back({x, y});
    std::uint64_t address = record.l1_begin;
    for (const Core& core : of_cb) {
      const auto found = next.find(core);
      if (found != next.end()) address = std::max(address, found->second);
    }
    for (const Core& core : of_cb) next[core] = round_up(address + cb.bytes, record.dram_alignment);
    cb.address = static_cast<std::uint32_t>(std::min<std::uint64_t>(address, ~std::uint32_t{0}));
  }
  return result;
}

} // namespace

Core grid_of(const Program& program) {
  const NocPlace most = noc_record(program.arch)->compute_grid;
  return program.grid.value_or(Core{most.x, most.y});
}

std::vector<Core> cores_of(const Program& program) {
  const Core grid = grid_of(program);
  std::set<Core> cores;
  for (const Kernel& kernel : program.kernels) {
    for (const CoreRange& range : set_of(kernel.cores, program))
      for (unsigned y = range.first.y; y <= std::min(range.last.y, grid.y - 1); ++y)
        for (unsigned x = range.first.x; x <= std::min(range.last.x, grid.x - 1); ++x)
          cores.insert({x, y});
  }
  return {cores.begin(), cores.end()};
}

Program program_of(const Program& program, const Core& core) {
  Program result{.arch = program.arch,
                 .core = core,
                 .grid = program.grid,
                 .buffers_core = program.buffers_core.value_or(program.core),
                 .buffers = {},
                 .freed = program.freed,
                 .circular_buffers = {},
                 .semaphores = {},
                 .kernels = {}};
  for (const Buffer& buffer : program.buffers) {
    Buffer& copy = result.buffers.emplace_back();
    copy.origin = buffer.origin;
    copy.name = buffer.name;
    copy.memory = buffer.memory;
    copy.bytes = buffer.bytes;
    copy.page_bytes = buffer.page_bytes;
    copy.address = buffer.address;
    copy.is_sharded = buffer.is_sharded;
    copy.is_interleaved = buffer.is_interleaved;
    copy.shards = buffer.shards;
    copy.is_written = buffer.is_written || !buffer.contents.empty();
  }
  for (const std::size_t i : indices_on(program.circular_buffers, program, core))
    result.circular_buffers.push_back(program.circular_buffers[i]);
  for (const std::size_t i : indices_on(program.semaphores, program, core))
    result.semaphores.push_back(program.semaphores[i]);
  for (const std::size_t i : indices_on(program.kernels, program, core)) {
    Kernel& kernel = result.kernels.emplace_back(program.kernels[i]);
    if (const auto own = kernel.runtime_args_at.find(core); own != kernel.runtime_args_at.end())
      kernel.runtime_args = own->second;
    kernel.runtime_args_at.clear();
  }
  return result;
}

Expected<std::vector<CoreProgram>> place_on_cores(const Program& program) {
  if (noc_record(program.arch) == nullptr)
    return bad_input(fmt::format("{} has no NoC here", arch_params(program.arch).names.full),
                     "choose another chip");
  if (auto there = check_all_cores(program); !there) return Unexpected(there.error());
  const std::vector<Core> cores = cores_of(program);
  // What is wrong with a program of one core is told as ever.
  if (cores.size() <= 1) {
    CoreProgram only{.program = program_of(program, cores.empty() ? program.core : cores.front()),
                     .layout = {}};
    only.program.buffers = program.buffers; // with their contents
    auto layout = place_all(only.program);
    if (!layout) return Unexpected(layout.error());
    only.layout = std::move(*layout);
    return std::vector{std::move(only)};
  }
  const Program placed = with_addresses(program);
  std::vector<CoreProgram> all;
  std::map<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>, std::size_t> groups;
  for (const Core& core : cores) {
    CoreProgram each{.program = program_of(placed, core), .layout = {}};
    auto layout = place_all(each.program);
    if (!layout) return Unexpected(layout.error());
    each.layout = std::move(*layout);
    each.group = groups
                     .emplace(std::pair(indices_on(placed.kernels, placed, core),
                                        indices_on(placed.circular_buffers, placed, core)),
                              groups.size())
                     .first->second;
    all.push_back(std::move(each));
  }
  return all;
}

Expected<std::vector<CoreProgram>> lay_out_on_cores(const Program& program) {
  auto cores = place_on_cores(program);
  if (!cores) return cores;
  for (const CoreProgram& core : *cores)
    if (auto apart = check_l1(core.program, core.layout); !apart) return Unexpected(apart.error());
  return cores;
}

std::size_t groups_of(const std::vector<CoreProgram>& cores) {
  std::size_t groups = 0;
  for (const CoreProgram& core : cores) groups = std::max(groups, core.group + 1);
  return groups;
}

} // namespace lanewise::programs
