#include "study/tune/contracts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/timing/access.h"
#include "chip/timing/tile_cost.h"

namespace lanewise::tune {

namespace {

using isa::Op;

// Resources by number, in the order of found_in().
constexpr unsigned kTemplateResource = 16, kSequenceResource = 20, kMiscResource = 24,
                   kSectionResource = 25;
constexpr unsigned kSectionCount = 8, kLaneConfigResource = kSectionResource + kSectionCount,
                   kFlagResource = kLaneConfigResource + 1, kResources = kFlagResource + 1;

std::string resource_name(unsigned resource) {
  if (resource < kTemplateResource) return fmt::format("LReg[{}]", resource);
  if (resource < kSequenceResource)
    return fmt::format("macro template {}", resource - kTemplateResource);
  if (resource < kMiscResource) return fmt::format("macro {}", resource - kSequenceResource);
  if (resource == kMiscResource) return "the macros' Misc";
  if (resource < kLaneConfigResource)
    return fmt::format("ADDR_MOD_{}", resource - kSectionResource);
  return resource == kLaneConfigResource ? "LaneConfig" : "the lanes' flags";
}

/// What a state holds in each resource.
using Found = std::array<std::vector<std::uint32_t>, kResources>;

Found found_in(const MachineState& state) {
  Found found;
  const VectorState& vector = state.vector;
  const auto put = [&](unsigned resource, const auto& words) {
    found[resource].assign(std::begin(words), std::end(words));
  };
  for (unsigned i = 0; i < kTemplateResource; ++i) put(i, vector.lreg[i]);
  for (unsigned i = 0; i < 4; ++i) {
    put(kTemplateResource + i, vector.macro.instruction_template[i]);
    put(kSequenceResource + i, vector.macro.sequence[i]);
  }
  put(kMiscResource, vector.macro.misc);
  for (unsigned i = 0; i < kSectionCount; ++i) {
    const AddrModWords words = pack_addr_mod(state.config.addr_mod_section(i));
    found[kSectionResource + i] = {words.ab, words.dst, words.bias};
  }
  put(kLaneConfigResource, vector.lane_config);
  found[kFlagResource] = {vector.flags, vector.use_flags};
  return found;
}

/// Resources that a kernel reads before its body has written them, with the first line each.
class EarlyReads {
 public:
  explicit EarlyReads(Arch arch) : arch_(arch) {}

  void take(const MachineState& state, const MicroOp& op) {
    add(kLaneConfigResource, op.line);
    add(kFlagResource, op.line);
    if (!timing::is_vector(arch_, op)) return;
    add_registers(timing::reads_of(arch_, op, false, false), op.line);
    if (timing::is_load(op) || timing::is_store(op)) add(section_of(state, op), op.line);
    if (op.op == Op::SFPLOADMACRO) take_macro(state, op);
    written_ |= timing::writes_of(arch_, op, false, false);
  }

  const std::map<unsigned, std::uint32_t>& lines() const { return lines_; }

 private:
  void add(unsigned resource, std::uint32_t line) { lines_.try_emplace(resource, line); }

  void add_registers(timing::LRegMask registers, std::uint32_t line) {
    for (unsigned i = 0; i < kTemplateResource; ++i) {
      if (((registers & ~written_) >> i & 1U) != 0) add(i, line);
    }
  }

  unsigned section_of(const MachineState& state, const MicroOp& op) const {
    const bool is_high =
        arch_params(arch_).front_end.addr_mod_has_base &&
        (state.rwc.bias != 0 || state.config.get(isa::ConfigField::ADDR_MOD_SET_Base) != 0);
    return kSectionResource + op.addr_mod + (is_high ? 4 : 0);
  }

  /// The macro, and of each template that it schedules the constants.
  void take_macro(const MachineState& state, const MicroOp& op) {
    constexpr unsigned kFirstTemplate = 4, kConstants = 0x7800;
    const unsigned macro = isa::decode(arch_, op.word)["MacroIndex"];
    add(kSequenceResource + macro, op.line);
    add(kMiscResource, op.line);
    const std::uint32_t sequence = state.vector.macro.sequence[macro][0];
    for (unsigned byte = 0; byte < 4; ++byte) {
      const unsigned chosen = sequence >> (8 * byte) & 7U;
      if (chosen < kFirstTemplate) continue;
      add(kTemplateResource + chosen - kFirstTemplate, op.line);
      const auto carried = decode_micro_op(
          arch_, state.vector.macro.instruction_template[chosen - kFirstTemplate][0], op.line);
      if (carried)
        add_registers(timing::reads_of(arch_, *carried, true, false) & kConstants, op.line);
    }
  }

  Arch arch_;
  timing::LRegMask written_ = 0;
  std::map<unsigned, std::uint32_t> lines_;
};

/// Whether an instruction comes for each tile: of what is replayed, the REPLAY decides.
bool is_of_body(const Program& program, const Supply& supply) {
  return part_of_line(program.words[supply.word].line) != ProgramPart::Init;
}

/// What a kernel reads, and what it finds there by itself.
struct Needs {
  std::map<unsigned, std::uint32_t> lines;
  Found found;
};

Needs needs_of(const ChainKernel& kernel, MachineState state) {
  Needs needs;
  EarlyReads reads(kernel.plain.arch);
  bool has_begun = false;
  const Program& program = kernel.plain.program;
  const MicroProgram expanded = FrontEnd(kernel.plain.arch).expand(program);
  for (std::size_t i = 0; i < expanded.ops.size(); ++i) {
    const MicroOp& op = expanded.ops[i];
    const bool is_body = is_of_body(program, expanded.supply[i]);
    if (is_body && !has_begun) needs.found = found_in(state);
    has_begun = has_begun || is_body;
    if (is_body) reads.take(state, op);
    execute(state, std::span(&op, 1));
  }
  needs.lines = reads.lines();
  return needs;
}

/// A program of a chain for two tiles, and whose each word is.
struct TwoTiles {
  Program program;
  std::vector<std::size_t> owners;

  explicit TwoTiles(std::span<const ChainLink> links) {
    const Plain chain = plain_chain(links, InitPlace::First, &owners);
    program = timing::on_tiles(chain.program, 2);
    for (std::size_t i = 0; i < chain.program.words.size(); ++i) {
      if (part_of_line(chain.program.words[i].line) != ProgramPart::Init)
        owners.push_back(owners[i]);
    }
  }
};

/// Whose word has changed what, last.
struct Writer {
  std::size_t link = 0;
  std::uint32_t line = 0;
};

class StateContracts {
 public:
  StateContracts(std::span<const ChainLink> links, const MachineState& start)
      : state_(start), now_(found_in(start)) {
    for (const ChainLink& link : links) needs_.push_back(needs_of(link.kernel, start));
  }

  void run(const TwoTiles& chain) {
    const MicroProgram expanded = FrontEnd(state_.config.arch()).expand(chain.program);
    std::optional<std::size_t> running;
    for (std::size_t i = 0; i < expanded.ops.size(); ++i) {
      const MicroOp& op = expanded.ops[i];
      const std::size_t owner = chain.owners[expanded.supply[i].word];
      const bool is_body = is_of_body(chain.program, expanded.supply[i]);
      if (is_body && running != owner) {
        compare(owner);
        running = owner;
      }
      execute(state_, std::span(&op, 1));
      note_changes({owner, op.line});
    }
  }

  std::vector<Conflict> take() { return std::move(conflicts_); }

 private:
  void compare(std::size_t reader) {
    for (const auto& [resource, line] : needs_[reader].lines) {
      if (now_[resource] == needs_[reader].found[resource]) continue;
      const Conflict conflict{resource_name(resource), reader, line, writers_[resource].link,
                              writers_[resource].line};
      const bool is_known = std::ranges::any_of(conflicts_, [&](const Conflict& each) {
        return each.reader == reader && each.resource == conflict.resource;
      });
      if (!is_known) conflicts_.push_back(conflict);
    }
  }

  void note_changes(Writer writer) {
    Found next = found_in(state_);
    for (unsigned i = 0; i < kResources; ++i) {
      if (next[i] != now_[i]) writers_[i] = writer;
    }
    now_ = std::move(next);
  }

  MachineState state_;
  Found now_;
  std::array<Writer, kResources> writers_{};
  std::vector<Needs> needs_;
  std::vector<Conflict> conflicts_;
};

/// The replay buffer, slot by slot: what a kernel plays must be what it has recorded itself.
class ReplayContracts {
 public:
  ReplayContracts(Arch arch, std::size_t links) : arch_(arch), recorded_(links) {}

  void run(const TwoTiles& chain) {
    for (std::size_t i = 0; i < chain.program.words.size(); ++i) {
      const isa::Decoded word = isa::decode(arch_, chain.program.words[i].word);
      if (word.row == nullptr || word.row->op != Op::REPLAY) continue;
      const Writer here{chain.owners[i], chain.program.words[i].line};
      const std::size_t count = std::min<std::size_t>(word["Count"], kSlots);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t slot = (word["Index"] + k) % kSlots;
        if (word["Load"] == 0)
          play(slot, here);
        else if (i + 1 + k < chain.program.words.size())
          record(slot, chain.program.words[i + 1 + k].word, here);
      }
      if (word["Load"] != 0) i += count;
    }
  }

  /// Slots side by side are one conflict.
  std::vector<Conflict> take() const {
    std::vector<Conflict> conflicts;
    for (const auto& [key, places] : found_) {
      const auto& [reader, writer] = key;
      const unsigned first = static_cast<unsigned>(places.begin()->first),
                     last = static_cast<unsigned>(places.rbegin()->first);
      conflicts.push_back({first == last ? fmt::format("replay slot {}", first)
                                         : fmt::format("replay slots {} to {}", first, last),
                           reader, places.begin()->second.first, writer,
                           places.begin()->second.second});
    }
    return conflicts;
  }

 private:
  static constexpr std::size_t kSlots = 32;
  struct Slot {
    std::uint32_t word = 0;
    Writer writer;
  };

  void record(std::size_t slot, std::uint32_t word, Writer writer) {
    now_[slot] = {word, writer};
    recorded_[writer.link][slot] = word;
  }

  void play(std::size_t slot, Writer reader) {
    const auto own = recorded_[reader.link].find(slot);
    if (!now_[slot] || own == recorded_[reader.link].end()) return; // it has recorded nothing there
    if (now_[slot]->word == own->second) return;
    const Writer& writer = now_[slot]->writer;
    found_[{reader.link, writer.link}].try_emplace(slot, reader.line, writer.line);
  }

  Arch arch_;
  std::array<std::optional<Slot>, kSlots> now_;
  std::vector<std::map<std::size_t, std::uint32_t>> recorded_; ///< by each link
  std::map<std::pair<std::size_t, std::size_t>,
           std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>>>
      found_; ///< reader and writer, then slots with both lines
};

std::string place_in_kernel(const std::string& name, std::uint32_t line) {
  if (!has_line(line)) return name;
  const SourcePlace place = source_place(line);
  if (place.file.empty() || place.file == name) return fmt::format("{}:{}", name, place.line);
  return fmt::format("{} ({})", name, line_text(line));
}

} // namespace

Expected<std::vector<Conflict>> find_conflicts(std::span<const ChainLink> links,
                                               const execution::TileRunOptions& options) {
  const TwoTiles chain(links);
  const Arch arch = links.front().kernel.plain.arch;
  execution::TileRunOptions own = options;
  own.as_kernel = links.front().kernel.plain.as_kernel;
  const auto timed = execution::schedule_on_tile(arch, chain.program, own);
  if (!timed) return Unexpected(timed.error());
  StateContracts states(links, timed->start);
  states.run(chain);
  ReplayContracts replays(arch, links.size());
  replays.run(chain);
  std::vector<Conflict> conflicts = states.take();
  for (Conflict& each : replays.take()) conflicts.push_back(std::move(each));
  return conflicts;
}

std::string conflict_text(const Conflict& conflict, std::span<const ChainLink> links) {
  const std::string reader =
      place_in_kernel(links[conflict.reader].kernel.name, conflict.read_line);
  const std::string writer =
      place_in_kernel(links[conflict.writer].kernel.name, conflict.written_line);
  if (conflict.reader == conflict.writer)
    return fmt::format(
        "{} relies on {}, which is no longer so on the next tile ({}): run its init "
        "again in front of each tile",
        reader, conflict.resource, writer);
  return fmt::format("{} relies on {}, which {} overwrites: run its init again behind that", reader,
                     conflict.resource, writer);
}

} // namespace lanewise::tune
