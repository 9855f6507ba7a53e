#include "study/changes/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/cache.h"
#include "number/tensors/pattern.h"
#include "run/execution/check_program.h"
#include "run/execution/checkout_program.h"
#include "run/execution/compiled_kernel.h"
#include "run/execution/tile_runner.h"
#include "source/checkouts/op_table.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/inputs.h"
#include "study/corpus/llk/source.h"

namespace lanewise::changes {
namespace {

/// A parameter of every such case: the format of Dst.
constexpr const char* kFormat = "format";
/// The address at which results stand in Outcome::written; a program has no L1.
constexpr std::uint32_t kResults = 0;

std::string l1_name(formats::Format format) {
  switch (format) {
    case formats::Format::BF16: return "Float16_b";
    case formats::Format::FP16: return "Float16";
    case formats::Format::FP32: return "Float32";
    case formats::Format::UINT32: return "UInt32";
    case formats::Format::UINT16: return "UInt16";
    default: return "UInt" + std::to_string(formats::is_32bit(format) ? 32 : 16);
  }
}

TestCase program_case(CaseKind kind, Arch arch, std::string_view name, std::string_view header,
                      formats::Format format) {
  const std::string format_name{formats::format_name(format)};
  return {.kind = kind,
          .arch = arch,
          .id = fmt::format("{} ({})", name, format_name),
          .group = std::string(name),
          .parameters = {{kFormat, format_name}},
          .source = std::string(header)};
}

Expected<formats::Format> format_of(const TestCase& each) {
  return formats::parse_format(each.parameters.front().second);
}

const corpus::LlkKernel* find_kernel(const std::string& name) {
  const auto& all = corpus::llk_corpus();
  const auto found = std::ranges::find(all, name, &corpus::LlkKernel::name);
  return found == all.end() ? nullptr : &*found;
}

Expected<sfpi::KernelSource> kernel_source(const TestCase& each,
                                           const checkouts::Checkout& checkout,
                                           formats::Format format) {
  if (each.kind == CaseKind::Kernel) {
    const corpus::LlkKernel* kernel = find_kernel(each.group);
    if (kernel == nullptr) return bad_input("there is no kernel " + each.group);
    return corpus::llk_source(*kernel, format, false, each.arch, checkout);
  }
  const checkouts::OpTable table(checkout, each.arch);
  const auto op = checkouts::chosen_op(table, each.group);
  if (!op) return Unexpected(op.error());
  return table.source(**op, {.dst_width = formats::is_32bit(format) ? "true" : "false"});
}

/// Tensors that a case runs on, and what it leaves where.
struct ProgramInputs {
  std::vector<tensors::Tensor> tiles;
  execution::TileRunOptions options;
};

Expected<ProgramInputs> inputs_of(const TestCase& each, formats::Format format) {
  ProgramInputs inputs;
  inputs.options.format = format;
  inputs.options.as_kernel = true;
  std::vector<std::pair<std::string, formats::Format>> patterns;
  if (each.kind == CaseKind::Kernel) {
    const corpus::LlkKernel* kernel = find_kernel(each.group);
    if (kernel == nullptr) return bad_input("there is no kernel " + each.group);
    for (const corpus::LlkInput& input : kernel->inputs)
      patterns.emplace_back(input.pattern, input.format.value_or(format));
    inputs.options.output_tile = kernel->outputs.front().tile;
    inputs.options.output_format = kernel->outputs.front().format;
  } else {
    const checkouts::SfpuOp* op = checkouts::find_op(each.group);
    if (op == nullptr) return bad_input("there is no operation " + each.group);
    constexpr std::array<const char*, 3> kPatterns{"every", "shuffled", "halves"};
    for (unsigned i = 0; i < op->operands; ++i)
      patterns.emplace_back(kPatterns[std::min<std::size_t>(i, kPatterns.size() - 1)], format);
    inputs.options.output_format = execution::op_result_format(*op);
  }
  for (const auto& [pattern, of] : patterns) {
    auto tensor = corpus::make_llk_input(pattern, of);
    if (!tensor) return Unexpected(tensor.error());
    inputs.tiles.push_back(std::move(*tensor));
  }
  return inputs;
}

/// The tiles of a tensor as a packer would leave them in L1: face after face.
std::vector<std::byte> packed(const tensors::Tensor& tensor) {
  const unsigned bytes = formats::is_32bit(tensor.format) ? 4 : 2;
  std::vector<std::byte> all;
  for (const tensors::Tile& tile : tensors::split_into_tiles(tensor)) {
    for (unsigned index = 0; index < tensors::kTileElements; ++index) {
      const unsigned face = index / 256, row = face / 2 * 16 + index % 256 / 16,
                     column = face % 2 * 16 + index % 16;
      const std::uint32_t bits = tile[row * tensors::kTileEdge + column];
      for (unsigned k = 0; k < bytes; ++k)
        all.push_back(static_cast<std::byte>(bits >> (8 * k) & 0xFF));
    }
  }
  return all;
}

void add_findings(Outcome& outcome, const execution::CheckedProgram& checked) {
  for (const timing::Hazard& hazard : checked.hazards) {
    outcome.findings.push_back(
        {fmt::format("Hazard: {} [{}]", hazard.message, hazard.rule->id), ""});
  }
  for (const Fault& fault : checked.faults) {
    outcome.findings.push_back(
        {fmt::format("{}: {}: {}", fault_kind_name(fault.kind), fault.instruction, fault.message),
         ""});
  }
  const auto cycles = checked.cost ? checked.cost->cycles() : std::nullopt;
  if (cycles) outcome.cycles.emplace_back("cycles per tile", *cycles);
}

void add_kernels(std::vector<TestCase>& cases, const checkouts::Checkout& checkout, Arch arch) {
  const std::vector<std::string> headers = checkout.headers(arch);
  for (const corpus::LlkKernel& kernel : corpus::llk_corpus()) {
    if (std::ranges::find(kernel.chips, arch) == kernel.chips.end()) continue;
    if (!std::ranges::binary_search(headers, kernel.header)) continue;
    for (const corpus::LlkDst& dst : kernel.dst) {
      cases.push_back(program_case(CaseKind::Kernel, arch, kernel.name, kernel.header, dst.format));
      const formats::Format result = kernel.outputs.front().format.value_or(dst.format);
      cases.back().result = ResultPlace{.address = kResults, .format = l1_name(result)};
    }
  }
}

} // namespace

std::vector<TestCase> program_cases(const checkouts::Checkout& checkout, Arch arch) {
  std::vector<TestCase> cases;
  const checkouts::OpTable table(checkout, arch);
  for (const checkouts::SfpuOp* op : table.ops()) {
    for (const formats::Format format : execution::op_formats(*op)) {
      cases.push_back(program_case(CaseKind::Operation, arch, op->name, op->header, format));
      const formats::Format result = execution::op_result_format(*op).value_or(format);
      cases.back().result = ResultPlace{.address = kResults, .format = l1_name(result)};
    }
  }
  // The operations of tt-metal are its kernels.
  if (!checkout.is_metal()) add_kernels(cases, checkout, arch);
  for (TestCase& each : cases) {
    // As many tiles as there are numbers of 16 bits.
    each.result->tiles = 64;
    each.result->tile_bytes =
        tensors::kTileElements * (each.result->format.ends_with("32") ? 4 : 2);
  }
  return cases;
}

Started start_program(const TestCase& each, const checkouts::Checkout& checkout,
                      const ProcessLimits& limits) {
  Started started;
  const auto fail = [&](const Fault& fault) {
    started.error = to_string(fault);
    return std::move(started);
  };
  const auto format = format_of(each);
  if (!format) return fail(format.error());
  auto source = kernel_source(each, checkout, *format);
  if (!source) return fail(source.error());
  source->limits = limits;
  auto compiled = execution::compile_kernel(each.arch, *source, {});
  if (!compiled) return fail(compiled.error());
  Digest digest;
  for (const ProgramWord& word : compiled->compiled.program.words)
    digest.add(fmt::format("{:08X}", word.word));
  started.texts = {digest.text()};
  started.program = std::move(compiled->compiled.program);
  return started;
}

void finish_program(Outcome& outcome, const TestCase& each, const Program& program) {
  const auto format = format_of(each);
  auto inputs = format ? inputs_of(each, *format) : Unexpected(format.error());
  if (!inputs) {
    outcome.error = to_string(inputs.error());
    return;
  }
  const auto leave = [&](MachineState& machine, std::span<const MicroOp> ops) {
    for (const MicroOp& op : ops) op.kernel(machine, op);
    outcome.state = section::end_state(machine);
  };
  const auto ran =
      execution::run_on_tiles(each.arch, program, inputs->tiles, inputs->options, leave);
  const auto checked = execution::check_and_cost(each.arch, program, inputs->options, {});
  if (!ran || !checked) {
    outcome.error = to_string(!ran ? ran.error() : checked.error());
    return;
  }
  outcome.executed[kMathThread] = ran->instructions;
  outcome.written = {{.address = kResults, .bytes = packed(ran->output)}};
  add_findings(outcome, *checked);
}

} // namespace lanewise::changes
