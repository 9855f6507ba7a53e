#include "run/execution/tile_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chip/machine/executor.h"
#include "chip/machine/kernel_entry.h"
#include "chip/machine/scheduled.h"

namespace lanewise::execution {

namespace {

using isa::ConfigField;

/// What the firmware sets for the Matrix Unit: formats of the sources, and how wide Dst is.
void configure_sources(ConfigState& config, const TileRunOptions& options) {
  bool integers = false;
  for (const auto& [input, field] :
       {std::pair{&options.srca, ConfigField::ALU_FORMAT_SPEC_REG0_SrcA},
        std::pair{&options.srcb, ConfigField::ALU_FORMAT_SPEC_REG1_SrcB}}) {
    if (!input->has_value()) continue;
    config.set(field, static_cast<std::uint32_t>((*input)->format));
    integers = integers || (*input)->format == DataFormat::Int8;
  }
  integers = integers && options.format == formats::Format::INT32;
  config.set(ConfigField::ALU_ACC_CTRL_Fp32_enabled, formats::is_32bit(options.format) ? 1 : 0);
  config.set(ConfigField::ALU_ACC_CTRL_INT8_math_enabled, integers ? 1 : 0);
}

/// Whether LLK sets bit 11 of DBG_FEATURE_DISABLE: where 32-bit data come or go by way of Dst, and
/// where the Matrix Unit computes with integers (docs/configuration.md).
bool has_high_halves(const ConfigState& config, const TileRunOptions& options) {
  if (options.srca || options.srcb)
    return config.get(ConfigField::ALU_ACC_CTRL_INT8_math_enabled) != 0;
  return formats::is_32bit(options.format) ||
         formats::is_32bit(options.output_format.value_or(options.format));
}

/// What the firmware sets for the formats.
void configure_formats(ConfigState& config, const TileRunOptions& options) {
  config.set(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled,
             formats::sfpu_fp32_enabled(options.format) ? 1 : 0);
  config.set(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, formats::srcb_code(options.format));
  if (options.srca || options.srcb) configure_sources(config, options);
  config.set(ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE,
             has_high_halves(config, options) ? kHighHalfView : 0);
}

/// On a chip whose Dst holds 16 bits as they are.
Expected<void> check_pattern_format(Arch arch, formats::Format format) {
  if (format == formats::Format::BF16 || format == formats::Format::UINT16 ||
      format == formats::Format::INT16)
    return {};
  return bad_input(fmt::format("{} has no {} in Dst here", arch_params(arch).names.family,
                               formats::format_name(format)),
                   "use bf16, or for integers uint16 or int16");
}

} // namespace

Expected<void> check_formats(Arch arch, const TileRunOptions& options,
                             std::span<const tensors::Tensor> inputs) {
  const ArchParams& chip = arch_params(arch);
  if (!chip.vector.dst_holds_patterns) return {};
  if (options.srca || options.srcb)
    return bad_input(fmt::format("{} is here without its Matrix Unit", chip.names.family),
                     "give the inputs to Dst");
  if (auto done = check_pattern_format(arch, options.format); !done) return done;
  for (const tensors::Tensor& input : inputs) {
    if (auto done = check_pattern_format(arch, input.format); !done) return done;
  }
  return check_pattern_format(arch, options.output_format.value_or(options.format));
}

Expected<void> configure(Machine& machine, const std::string& name,
                         std::span<const ConfigSetting> settings, const TileRunOptions& options) {
  ConfigState& config = machine.state().config;
  if (!machine.state().dst.holds_patterns) configure_formats(config, options);
  for (const ConfigSetting& setting : settings) {
    if (auto done = machine.set_config(setting.name, setting.value); !done) {
      Fault fault = done.error();
      fault.file = name;
      fault.line = setting.line;
      return Unexpected(std::move(fault));
    }
  }
  return {};
}

bool has_macros(const MicroProgram& program) {
  return std::any_of(program.ops.begin(), program.ops.end(),
                     [](const MicroOp& op) { return op.op == isa::Op::SFPLOADMACRO; });
}

PreparedProgram::PreparedProgram(MicroProgram program, const TileRunOptions& options,
                                 const MachineState& start)
    : program_(std::move(program)),
      options_{.model = options.hazards},
      is_clocked_(has_macros(program_) || options.hazards != timing::HazardModel::Documented) {
  if (is_clocked_) schedule(start);
}

PreparedProgram::PreparedProgram(TimedProgram timed, const TileRunOptions& options)
    : program_(std::move(timed.program)),
      options_{.model = options.hazards},
      is_clocked_(timed.schedule.sequence.has_value()),
      sequence_(std::move(timed.schedule.sequence)) {}

void PreparedProgram::schedule(const MachineState& start) {
  sequence_ = timing::schedule(start, program_, options_).sequence;
}

Expected<std::unique_ptr<TileMachine>> TileMachine::prepare(Arch arch, const Program& program,
                                                            const TileRunOptions& options) {
  if (auto done = check_formats(arch, options); !done) return Unexpected(done.error());
  std::unique_ptr<TileMachine> made(new TileMachine(arch));
  MachineState& state = made->machine_.state();
  if (options.as_kernel) enter_kernel(state);
  if (auto done = configure(made->machine_, program.name, program.config, options); !done)
    return Unexpected(done.error());
  made->program_.emplace(made->machine_.prepare(program), options, state);
  made->faults_ = made->program_->program().faults;
  for (Fault& fault : state.faults.to_faults(arch)) made->faults_.push_back(std::move(fault));
  state.faults.clear();
  for (Fault& fault : made->faults_) {
    if (fault.file.empty()) fault.file = program.name;
  }
  made->start_ = state;
  made->execute_lead();
  return made;
}

Expected<RowProgram> TileMachine::row_program() const {
  if (has_narrow_lanes(machine_.arch()))
    return bad_input(
        fmt::format("there is no generated code for {}", arch_params(machine_.arch()).names.family),
        "leave --generate out");
  const auto ops = program_->ops().subspan(lead_);
  const auto configures = std::find_if(ops.begin(), ops.end(), may_configure);
  if (program_->is_clocked() && configures != ops.end())
    return bad_input(
        "the macros are configured behind the first access to a tile, so that the "
        "schedule may be another one for each",
        "configure them first, or leave --generate out", configures->line);
  return find_row_program(entry_, ops);
}

/// Up to the first micro-op that accesses a tile or has something to report, with nothing held
/// back. The machine stands behind it then, and has nothing of a tile.
void TileMachine::execute_lead() {
  entry_ = start_;
  lead_ = 0;
  const auto ops = program_->ops();
  if (Footprint::of(start_, ops)) {
    MachineState state = start_;
    unsigned held = 0;
    for (std::size_t i = 0; i < ops.size() && !is_access(ops[i]); ++i) {
      if (begins_hold(ops[i])) ++held;
      if (releases(ops[i])) --held;
      lanewise::execute(state, ops.subspan(i, 1));
      if (!state.faults.records().empty()) break;
      if (held != 0) continue;
      lead_ = i + 1;
      entry_ = state;
    }
    entry_.clock.held.clear();
  }
  footprint_ = Footprint::of(entry_, ops.subspan(lead_));
  restart();
}

void TileMachine::restart() {
  FaultLog faults = std::move(machine_.state().faults); // one log over all tiles
  machine_.state() = entry_;
  machine_.state().faults = std::move(faults);
}

void TileMachine::start_tile(const Load& load) {
  MachineState& state = machine_.state();
  if (footprint_) {
    footprint_->restore(entry_, state);
  } else {
    restart();
  }
  load(state);
}

void TileMachine::run(const Load& load, const Execute& execute) {
  MachineState& state = machine_.state();
  if (!program_->is_clocked()) {
    start_tile(load);
    execute(state, program_->ops().subspan(lead_));
    return;
  }
  const FaultLog before = state.faults;
  start_tile(load);
  execute(state, program_->ops().subspan(lead_));
  if (!state.clock.schedule_is_stale) return;
  MachineState start = start_;
  load(start);
  program_->schedule(start);
  execute_lead();
  state.faults = before;
  start_tile(load);
  execute(state, program_->ops().subspan(lead_));
}

} // namespace lanewise::execution
