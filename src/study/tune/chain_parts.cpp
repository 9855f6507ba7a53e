#include "study/tune/chain_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "number/formats/format.h"
#include "study/tune/choices.h"
#include "study/tune/follow.h"
#include "study/tune/row_values.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// The bits that a bf16 number has in a register.
constexpr std::uint32_t kBf16Mask = 0xFFFF0000U;

Unexpected refuse_link(const ChainKernel& kernel, const Fault& why) {
  Fault fault = why;
  fault.message = fmt::format("{}: {}", kernel.name, why.message);
  return Unexpected(fault);
}

bool sets_counters(Arch arch, const ProgramWord& word) {
  const isa::Row* row = isa::decode(arch, word.word).row;
  return row != nullptr && row->op == Op::SETRWC;
}

/// Whether a word of a kernel is what LLK does before each tile: what runs once sets the counters.
bool begins_tile(Arch arch, const ProgramWord& word) {
  return part_of_line(word.line) == ProgramPart::Init && sets_counters(arch, word);
}

bool begins_anew(const Plain& kernel) {
  return std::ranges::any_of(kernel.program.words, [&](const ProgramWord& each) {
    return begins_tile(kernel.arch, each);
  });
}

/// Whether kernels that set counters do it from where the one before them has left off, as faces
/// do: then the chain stores where each of them stores.
Expected<void> check_counters(std::span<const ChainLink> links,
                              const execution::TileRunOptions& options) {
  const Plain chain = plain_chain(links, InitPlace::First);
  execution::TileRunOptions own = options;
  own.as_kernel = chain.as_kernel;
  const auto rows = find_rows(chain.arch, chain.program, own);
  for (const ProgramWord& each : chain.program.words) {
    if (part_of_line(each.line) == ProgramPart::Init || !sets_counters(chain.arch, each)) continue;
    if (rows && std::ranges::is_permutation(rows->addresses, links.front().rows.addresses))
      return {};
    return refuse("a kernel of the chain sets the counters itself",
                  "let it begin where the tile begins, and move on from there", each.line);
  }
  return {};
}

/// What a chain cannot have of a kernel, apart from its rows.
Expected<void> check_link(const ChainKernel& kernel, const ChainKernel& first) {
  const Program& program = kernel.plain.program;
  if (!program.mop.empty())
    return refuse(fmt::format("{}: a chain has no kernels that use the MOP expander", kernel.name),
                  "write its loop in the kernel", program.mop.front().line);
  if (kernel.plain.as_kernel != first.plain.as_kernel)
    return refuse(fmt::format("{} starts as kernels do, and {} does not",
                              (kernel.plain.as_kernel ? kernel : first).name,
                              (kernel.plain.as_kernel ? first : kernel).name),
                  "chain kernels with kernels, and assembly with assembly", 0);
  return {};
}

Expected<void> check_rows(const ChainLink& link, const ChainLink& first) {
  auto sorted = [](std::vector<std::uint32_t> addresses) {
    std::ranges::sort(addresses);
    return addresses;
  };
  if (sorted(link.rows.addresses) == sorted(first.rows.addresses)) return {};
  return refuse(
      fmt::format("{} stores {} rows of Dst, and {} others or {}", link.kernel.name,
                  link.rows.addresses.size(), first.kernel.name, first.rows.addresses.size()),
      "chain kernels of the same tile", 0);
}

/// Settings of all kernels, each once.
Expected<std::vector<ConfigSetting>> settings_of(std::span<const ChainKernel> kernels) {
  std::map<std::string, ConfigSetting> all;
  for (const ChainKernel& each : kernels) {
    for (const ConfigSetting& setting : each.plain.program.config) {
      const auto [place, is_new] = all.try_emplace(setting.name, setting);
      if (!is_new && place->second.value != setting.value)
        return bad_input(fmt::format("{}: .cfg {} is {}, and another kernel's is {}", each.name,
                                     setting.name, setting.value, place->second.value),
                         "chain kernels that find the same configuration");
    }
  }
  std::vector<ConfigSetting> settings;
  settings.reserve(all.size());
  for (auto& [name, setting] : all) settings.push_back(setting);
  return settings;
}

/// The line, with the kernel's file where it is of that.
std::uint32_t line_in_chain(const ChainKernel& kernel, std::uint32_t line, bool repeats) {
  SourcePlace place = source_place(line);
  if (place.file.empty()) place.file = kernel.name;
  if (repeats && place.part == ProgramPart::Init) place.part = ProgramPart::Tile;
  return line_number(place);
}

NodeId add_rounding(RowGraph& row, NodeId value) {
  const NodeId mask = find_or_add(row, {.kind = NodeKind::Constant, .bits = kBf16Mask});
  return find_or_add(row,
                     {.kind = NodeKind::Operation, .op = Op::SFPAND, .operands = {value, mask}});
}

/// Adds the row of a link, whose loads give `input`. Returns what it stores.
std::optional<NodeId> append_row(RowGraph& row, const RowGraph& next, NodeId input,
                                 std::uint8_t stored_mode) {
  std::vector<NodeId> numbers;
  for (const Node& each : next.nodes) {
    if (each.kind == NodeKind::Load) {
      if (each.offset != 0 || each.mode != stored_mode) return std::nullopt;
      numbers.push_back(input);
      continue;
    }
    Node node = each;
    for (NodeId& operand : node.operands) operand = numbers[operand];
    numbers.push_back(find_or_add(row, node));
  }
  return numbers.back();
}

/// Nodes that a result needs, with it at the end.
RowGraph with_result(RowGraph row, NodeId result) {
  row.nodes.resize(result + 1);
  return without_dead(row);
}

/// Results of the kernels one behind the other, for all inputs; nothing for those whose way leads
/// over bits that no input has.
Expected<std::vector<std::optional<std::uint32_t>>> results_of(std::span<const ChainLink> links,
                                                               const ProofOptions& options) {
  std::vector<std::optional<std::uint32_t>> results;
  for (const ChainLink& link : links) {
    auto evaluator = RowEvaluator::prepare(link.kernel.plain, options);
    if (!evaluator) return Unexpected(evaluator.error());
    const auto values = evaluator->evaluate(link.rows.row);
    if (!values) return Unexpected(values.error());
    const LaneBits& inputs = evaluator->inputs();
    std::map<std::uint32_t, std::uint32_t> table;
    for (std::size_t i = 0; i < inputs.size(); ++i) table[inputs[i]] = values->results[i];
    if (results.empty()) results.assign(inputs.begin(), inputs.end());
    for (std::optional<std::uint32_t>& each : results) {
      const auto found = each ? table.find(*each) : table.end();
      each = found == table.end() ? std::nullopt : std::optional(found->second);
    }
  }
  return results;
}

} // namespace

Expected<std::vector<ChainLink>> links_of(std::span<const ChainKernel> kernels,
                                          const execution::TileRunOptions& options) {
  if (auto settings = settings_of(kernels); !settings) return Unexpected(settings.error());
  std::vector<ChainLink> links;
  std::uint32_t moved = 0;
  for (const ChainKernel& kernel : kernels) {
    if (auto fits = check_link(kernel, kernels.front()); !fits) return Unexpected(fits.error());
    execution::TileRunOptions own = options;
    own.as_kernel = kernel.plain.as_kernel;
    auto rows = find_rows(kernel.plain.arch, kernel.plain.program, own);
    if (!rows) return refuse_link(kernel, rows.error());
    if (begins_anew(kernel.plain)) moved = 0;
    links.push_back({kernel, std::move(*rows), moved});
    moved = (moved + links.back().rows.dst_counter) & kDstAddressMask;
    if (auto fits = check_rows(links.back(), links.front()); !fits) return Unexpected(fits.error());
  }
  if (auto fits = check_counters(links, options); !fits) return Unexpected(fits.error());
  return links;
}

std::uint32_t moved_back(Arch arch, std::uint32_t word, std::uint32_t rows) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) return word;
  const bool is_macro = decoded.row->op == Op::SFPLOADMACRO;
  if (!is_macro && decoded.row->op != Op::SFPLOAD && decoded.row->op != Op::SFPSTORE) return word;
  const isa::Field* field = decoded.row->field(is_macro ? "Imm9" : "Imm10");
  const std::uint32_t scale = is_macro ? 2 : 1;
  const std::uint32_t address = field->extract(word) * scale;
  return (word & ~field->insert(~0U)) | field->insert(((address - rows) & kDstAddressMask) / scale);
}

Plain plain_chain(std::span<const ChainLink> links, InitPlace place,
                  std::vector<std::size_t>* owners) {
  const Plain& first = links.front().kernel.plain;
  Plain chain{first.arch, {}, first.as_kernel};
  chain.program.name = "chain";
  std::vector<ChainKernel> kernels;
  for (const ChainLink& link : links) kernels.push_back(link.kernel);
  chain.program.config = settings_of(kernels).value_or(std::vector<ConfigSetting>{});
  const auto take = [&](std::size_t i, auto&& is_wanted) {
    const ChainLink& link = links[i];
    for (const ProgramWord& each : link.kernel.plain.program.words) {
      // Behind another kernel the tile begins anew each time.
      const bool begins = i > 0 && begins_tile(chain.arch, each);
      const bool once = part_of_line(each.line) == ProgramPart::Init && !begins;
      if (!is_wanted(once)) continue;
      chain.program.words.push_back(
          {moved_back(chain.arch, each.word, link.moved),
           line_in_chain(link.kernel, each.line, begins || place == InitPlace::Each),
           each.computed});
      if (owners != nullptr) owners->push_back(i);
    }
  };
  if (place == InitPlace::First) {
    for (std::size_t i = 0; i < links.size(); ++i) take(i, [](bool once) { return once; });
  }
  for (std::size_t i = 0; i < links.size(); ++i)
    take(i, [&](bool once) { return !once || place == InitPlace::Each; });
  return chain;
}

std::optional<RowGraph> fused_row(std::span<const ChainLink> links,
                                  const std::vector<bool>& rounds) {
  RowGraph row = links.front().rows.row;
  NodeId value = static_cast<NodeId>(row.nodes.size() - 1);
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (rounds[i - 1]) value = add_rounding(row, value);
    const auto next = append_row(row, links[i].rows.row, value, row.store_mode);
    if (!next) return std::nullopt;
    value = *next;
    row.store_mode = links[i].rows.row.store_mode;
  }
  return with_result(row, value);
}

Expected<Fusion> fuse(std::span<const ChainLink> links, const ProofOptions& options) {
  std::vector<bool> rounds(links.size() - 1);
  Fusion fusion{.row = fused_row(links, rounds)};
  if (!fusion.row) {
    fusion.refusal = "a kernel loads otherwise than the one before it has stored";
    return fusion;
  }
  if (formats::is_32bit(options.format)) return fusion;
  const auto wanted = results_of(links, options);
  if (!wanted) return Unexpected(wanted.error());
  auto evaluator = RowEvaluator::prepare(links.front().kernel.plain, options);
  if (!evaluator) return Unexpected(evaluator.error());
  const auto is_equal = [&](const RowGraph& row) {
    const auto values = evaluator->evaluate(row);
    if (!values) return false;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
      if ((*wanted)[i] && *(*wanted)[i] != values->results[i]) return false;
    }
    return true;
  };
  if (is_equal(*fusion.row)) return fusion;
  rounds.assign(rounds.size(), true);
  fusion.row = fused_row(links, rounds);
  if (!is_equal(*fusion.row)) {
    fusion.row.reset();
    fusion.refusal = fmt::format("what a store to a tile of {} does to a value is no operation",
                                 formats::format_name(options.format));
    return fusion;
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    rounds[i] = false;
    if (auto row = fused_row(links, rounds); is_equal(*row))
      fusion.row = std::move(row);
    else
      rounds[i] = true;
  }
  fusion.roundings = static_cast<unsigned>(std::ranges::count(rounds, true));
  return fusion;
}

} // namespace lanewise::tune
