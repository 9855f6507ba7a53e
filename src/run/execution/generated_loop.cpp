#include "run/execution/generated_loop.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "chip/isa/fields.h"
#include "chip/machine/executor.h"
#include "chip/machine/host_arithmetic.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/simd_level.h"
#include "source/sfpi/host_library.h"

namespace lanewise::execution {

namespace {

constexpr const char* kFunction = "lanewise_row_loop";

/// What every function stands behind.
constexpr const char* kHeader = R"(#define LANEWISE_LEVEL generated
#define LANEWISE_GENERATED
#include "chip/machine/kernels/row.h"
)";

std::string constant_text(const MicroOp& op) {
  return fmt::format(
      "{{.word = 0x{:08X}, .line = {}, .immediate = {}, .lanes = 0x{:08X}, "
      ".op = static_cast<isa::Op>({}), .va = {}, .vb = {}, .vc = {}, .vd = {}, .mod = {}, "
      ".addr_mod = {}, .address_slot = {}}}",
      op.word, op.line, op.immediate, op.lanes, static_cast<unsigned>(op.op), op.va, op.vb, op.vc,
      op.vd, op.mod, op.addr_mod, op.address_slot);
}

std::string step_text(const MicroOp& op, std::size_t index) {
  if (begins_hold(op)) return fmt::format("  step_begin_hold<kOps[{}]>(row);\n", index);
  if (ends_hold(op)) return fmt::format("  step_end_hold<kOps[{}]>(row);\n", index);
  if (releases(op)) return fmt::format("  step_release<kOps[{}]>(row);\n", index);
  if (is_left_to_host(op)) return fmt::format("  step_in_host(row, {});\n", index);
  return fmt::format("  step<kChip, kOps[{}]>(row);\n", index);
}

std::string part_text(const RowProgram& program, const RowPart& part, std::size_t first_group) {
  std::string loads, steps, stores;
  for (std::size_t i = 0; i < part.groups.size(); ++i) {
    const GroupUse& use = part.groups[i];
    const std::string group = fmt::format("_group(row.group[{}], row.dst, groups[{}], {});\n", i,
                                          first_group + i, use.is_wide);
    loads += "  load" + group;
    if (use.is_stored) stores += "  store" + group;
  }
  for (std::size_t i = part.first; i < part.first + part.size; ++i)
    steps += step_text(program.ops[i], i);
  return loads + steps + stores;
}

/// The function of a body, which goes on to the groups of the next one.
std::string body_text(const RowProgram& program, std::size_t number) {
  const RowBody& body = program.bodies[number];
  std::string parts;
  std::size_t groups = 0;
  for (const RowPart& part : body.parts) {
    parts += part_text(program, part, groups);
    groups += part.groups.size();
  }
  return fmt::format(R"(
LANEWISE_INLINE void run_body_{}(Row& row, const std::uint16_t*& groups) {{
  row.begin({}, {});
{}  groups += {};
}}
)",
                     number, body.uses_flags, body.has_empty_stack, parts, groups);
}

/// Of the level in use, as cmake/library.cmake has them for the lane kernels.
std::vector<std::string> level_flags() {
  switch (simd_level()) {
    case SimdLevel::Baseline: return {"-march=x86-64"};
    case SimdLevel::V3: return {"-march=x86-64-v3"};
    case SimdLevel::V4: return {"-march=x86-64-v4", "-mprefer-vector-width=512"};
  }
  return {};
}

/// For the functions of RowHost.
struct HostContext {
  MachineState& state;
  const RowProgram& program;
};

void add_fault(void* machine, RuntimeFault what, std::uint32_t word, std::uint32_t line,
               std::uint32_t lanes) {
  static_cast<HostContext*>(machine)->state.faults.add(what, word, line, lanes);
}

void execute_in_host(void* machine, VectorState& vector, unsigned index) {
  const auto& [state, program] = *static_cast<HostContext*>(machine);
  const MicroOp& op = program.ops[index];
  state.vector = vector;
  op.kernel(state, op);
  vector = state.vector;
}

} // namespace

std::string generated_source(Arch arch, const RowProgram& program) {
  std::string constants, bodies, runs, cases;
  for (const MicroOp& op : program.ops) constants += fmt::format("    {},\n", constant_text(op));
  for (std::size_t i = 0; i < program.bodies.size(); ++i) {
    bodies += body_text(program, i);
    cases += fmt::format(
        "      case {0}: for (unsigned i = 0; i < run.count; ++i) run_body_{0}(row, groups); "
        "break;\n",
        i);
  }
  for (const RowRun& run : program.runs)
    runs += fmt::format("    {{{}, {}}},\n", run.body, run.count);
  return fmt::format(
      R"(namespace {{

using namespace lanewise;
using namespace lanewise::generated;

constexpr Arch kChip = static_cast<Arch>({});
constexpr MicroOp kOps[] = {{
{}}};

struct Run {{
  unsigned body, count;
}};
constexpr Run kRuns[] = {{
{}}};
{}
}} // namespace

extern "C" void {}(VectorState& vector, Dst& dst, const std::uint16_t* groups, StoreNote* notes,
                   const RowHost& host) {{
  Row row{{vector, dst, notes, host, {{host}}, {{}}, {{}}}};
  for (const Run& run : kRuns) {{
    switch (run.body) {{
{}    }}
  }}
  vector = row.vector;
}}
)",
      static_cast<unsigned>(arch), constants, runs, bodies, kFunction, cases);
}

Expected<GeneratedLoop> GeneratedLoop::compile(Arch arch, RowProgram program) {
  GeneratedLoop made(arch, std::move(program));
  sfpi::LibraryRequest request{.name = "the code that was generated for a sweep",
                               .header = kHeader,
                               .text = generated_source(arch, made.program_),
                               .flags = level_flags()};
  const auto path = sfpi::compile_library(request);
  if (!path) return Unexpected(path.error());
  void* object = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr)
    return bad_input(fmt::format("cannot load {}: {}", path->string(), ::dlerror()));
  made.object_ = std::shared_ptr<void>(object, [](void* o) { ::dlclose(o); });
  made.loop_ = reinterpret_cast<RowLoop>(::dlsym(object, kFunction));
  if (made.loop_ == nullptr)
    return bad_input(fmt::format("{} has no {}", path->string(), kFunction));
  return made;
}

bool GeneratedLoop::suits(const VectorState& vector) const {
  return vector.switches == LaneSwitches{} && vector.stack.empty_lanes() == kAllLanes &&
         vector.use_flags == program_.use_flags;
}

bool GeneratedLoop::run(MachineState& state, StoreNote* notes) const {
  if (!suits(state.vector)) return false;
  HostContext context{state, program_};
  const RowHost host{.machine = &context,
                     .multiply_add = level_kernels().multiply_add(arch_),
                     .add_fault = add_fault,
                     .execute = execute_in_host};
  const HostArithmetic arithmetic;
  loop_(state.vector, state.dst, program_.rows.data(), notes, host);
  state.rwc = program_.counters_after;
  state.clock.address = program_.addresses_after;
  return true;
}

void GeneratedLoop::execute(MachineState& state, std::span<const MicroOp> ops) const {
  lanewise::execute(state, ops.first(program_.begin));
  lanewise::execute(state, ops.subspan(run(state, nullptr) ? program_.end : program_.begin));
}

} // namespace lanewise::execution
