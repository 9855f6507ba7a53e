#include "riscv/core_probes.h"

namespace lanewise::test {

namespace {

using riscv::Op;

constexpr unsigned kCounter = 5, kTime = 6, kClock = 7, kScratch = 8, kThree = 9, kDividend = 18,
                   kChase = 19, kStack = 20, kToggle = 21, kSmall = 22;
constexpr std::uint32_t kWallClock = 0xFFB121F0, kL1 = 0x20000, kOwn = 0xFFB00400;
constexpr unsigned kNodes = 64, kNodeBytes = 16;

using Body = std::function<void(RiscvCode&)>;

CoreProbe repeated(unsigned times, unsigned count, const Body& body) {
  CoreProbe probe{.count = count};
  for (unsigned i = 0; i < times; ++i) body(probe.body);
  return probe;
}

CoreProbe four(const std::function<void(RiscvCode&, unsigned)>& each) {
  return repeated(16, 64, [&each](RiscvCode& code) {
    for (unsigned i = 0; i < 4; ++i) each(code, i);
  });
}

void addi(RiscvCode& code, unsigned times = 1) {
  for (unsigned i = 0; i < times; ++i) code.imm(Op::ADDI, 10, 10, 1);
}

constexpr std::uint32_t kNop = 0x02000000, kSfpnop = 0x8F000000, kSetdmareg = 0x45000000;

const std::map<std::string, CoreProbe>& probes() {
  static const std::map<std::string, CoreProbe> all{
      {"rv_addi_indep", four([](RiscvCode& c, unsigned i) { c.imm(Op::ADDI, 10 + i, 10 + i, 1); })},
      {"rv_addi_dep", repeated(64, 64, [](RiscvCode& c) { addi(c); })},
      {"rv_mul_indep",
       four([](RiscvCode& c, unsigned i) { c.reg(Op::MUL, 10 + i, 10 + i, kThree); })},
      {"rv_mul_dep", repeated(64, 64, [](RiscvCode& c) { c.reg(Op::MUL, 10, 10, kThree); })},
      {"rv_div", repeated(64, 64, [](RiscvCode& c) { c.reg(Op::DIVU, 10, kDividend, kThree); })},
      {"rv_load_chase", repeated(64, 64, [](RiscvCode& c) { c.imm(Op::LW, kChase, kChase, 0); })},
      {"rv_load_indep", four([](RiscvCode& c, unsigned i) {
         c.imm(Op::LW, 10 + i, kScratch, 16 * static_cast<int>(i));
       })},
      {"rv_store_spread",
       four([](RiscvCode& c, unsigned i) { c.store(Op::SW, 10, kScratch, 16 * i); })},
      {"rv_store_coalesce",
       four([](RiscvCode& c, unsigned i) { c.store(Op::SW, 10, kScratch, 4 * (i % 2)); })},
      {"rv_load_stack", repeated(64, 64, [](RiscvCode& c) { c.imm(Op::LW, kStack, kStack, 0); })},
      {"rv_store_stack", repeated(64, 64, [](RiscvCode& c) { c.store(Op::SW, 10, kStack, 0); })},
      {"tt_nop", repeated(64, 64, [](RiscvCode& c) { c.push(kNop); })},
      {"tt_sfpnop", repeated(64, 64, [](RiscvCode& c) { c.push(kSfpnop); })},
      {"tt_setdmareg", repeated(64, 64, [](RiscvCode& c) { c.push(kSetdmareg); })},
      {"tt_pad", repeated(16, 16, [](RiscvCode& c) { addi(c, 16); })},
      {"tt_fuse2", repeated(16, 16,
                            [](RiscvCode& c) {
                              for (unsigned i = 0; i < 2; ++i) c.push(kNop);
                              addi(c, 16);
                            })},
      {"tt_fuse4", repeated(16, 16,
                            [](RiscvCode& c) {
                              for (unsigned i = 0; i < 4; ++i) c.push(kNop);
                              addi(c, 16);
                            })},
      {"tt_spread4", repeated(16, 16,
                              [](RiscvCode& c) {
                                for (unsigned i = 0; i < 4; ++i) {
                                  c.push(kNop);
                                  addi(c);
                                }
                                addi(c, 12);
                              })},
      {"c_ctrl_xor", repeated(64, 64, [](RiscvCode& c) { c.imm(Op::XORI, kToggle, kToggle, 1); })},
      {"c_nt", repeated(64, 64, [](RiscvCode& c) { c.branch(Op::BNE, 10, 10, 4); })},
      {"c_t", repeated(64, 64, [](RiscvCode& c) { c.branch(Op::BEQ, 10, 10, 4); })},
      {"c_xor_nt", repeated(64, 64,
                            [](RiscvCode& c) {
                              c.imm(Op::XORI, kToggle, kToggle, 1);
                              c.branch(Op::BNE, 10, 10, 4);
                            })},
      {"c_xor_t", repeated(64, 64,
                           [](RiscvCode& c) {
                             c.imm(Op::XORI, kToggle, kToggle, 1);
                             c.branch(Op::BEQ, 10, 10, 4);
                           })},
      {"c_xor_alt", repeated(64, 64,
                             [](RiscvCode& c) {
                               c.imm(Op::XORI, kToggle, kToggle, 1);
                               c.branch(Op::BEQ, kToggle, 0, 4);
                             })},
      {"c_jal", repeated(64, 64, [](RiscvCode& c) { c.jump(0, 4); })},
  };
  return all;
}

/// Of "f_512" and "g_1280": so many addi.
std::optional<CoreProbe> footprint(const std::string& name) {
  if (!name.starts_with("f_") && !name.starts_with("g_")) return std::nullopt;
  const auto count = static_cast<unsigned>(std::stoul(name.substr(2)));
  return repeated(count, count, [](RiscvCode& c) { addi(c); });
}

/// A loop over the body between two loads of the wall clock; the counter is set.
RiscvCode timed_loop(const RiscvCode& body) {
  RiscvCode code;
  code.imm(Op::LW, kTime, kClock, 0);
  const std::int32_t first = code.bytes();
  code.words.insert(code.words.end(), body.words.begin(), body.words.end());
  code.imm(Op::ADDI, kCounter, kCounter, -1);
  if (code.bytes() - first < 4096) {
    code.branch(Op::BNE, kCounter, 0, first - code.bytes());
  } else { // out of a branch's reach
    code.branch(Op::BEQ, kCounter, 0, 8);
    code.jump(0, first - code.bytes());
  }
  code.imm(Op::LW, kTime, kClock, 0);
  return code;
}

constexpr unsigned kPoints = 4, kBlocks = 32;

/// Cycles for each turn of the loop: the line of least squares through the four points.
double slope(Arch arch, const riscv::CoreClockOptions& options, const RiscvCode& body,
             bool has_neighbour) {
  TimedCore core(arch, options);
  TimedCore neighbour(arch, {.core = 3 - options.core, .port = options.port});
  for (TimedCore* const each : {&core, &neighbour}) {
    prepare_probe(*each);
    each->load_code(timed_loop(body));
  }
  double sum = 0;
  for (unsigned point = 0; point < kPoints; ++point) {
    core.core.set_reg(kCounter, kBlocks * (point + 1));
    neighbour.core.set_reg(kCounter, kBlocks * (point + 1));
    const auto cycles = has_neighbour ? core.run_beside(neighbour) : core.run();
    const double from_middle = 2.0 * point - (kPoints - 1);
    sum += from_middle * static_cast<double>(cycles.back() - cycles.front());
  }
  constexpr double kSumOfSquares = 20; // of -3, -1, 1, 3; half a step is the unit
  return sum / kSumOfSquares * 2 / kBlocks;
}

} // namespace

std::optional<CoreProbe> find_core_probe(const std::string& name) {
  if (name == "loop_overhead") return CoreProbe{.count = 1};
  const auto found = probes().find(name);
  return found == probes().end() ? footprint(name) : found->second;
}

void prepare_probe(TimedCore& core) {
  core.core.set_reg(kClock, kWallClock);
  core.core.set_reg(kScratch, kL1 + 0x400);
  core.core.set_reg(kThree, 3);
  core.core.set_reg(kDividend, 0x12345678);
  core.core.set_reg(kSmall, 0xFFF);
  core.core.set_reg(kChase, kL1);
  core.core.set_reg(kStack, kOwn);
  core.data[kOwn] = kOwn + 4;
  core.data[kOwn + 4] = kOwn;
  for (unsigned i = 0; i < kNodes; ++i)
    core.data[kL1 + kNodeBytes * i] = kL1 + (i + 1) % kNodes * kNodeBytes;
}

double probe_slope(Arch arch, riscv::CoreClockOptions options, const CoreProbe& probe,
                   bool has_neighbour) {
  const auto slope_of = [&](const RiscvCode& body) {
    options.port = std::make_shared<riscv::L1Port>();
    return slope(arch, options, body, has_neighbour);
  };
  const double empty = slope_of({});
  if (probe.body.words.empty()) return empty;
  return (slope_of(probe.body) - empty) / probe.count;
}

namespace {

struct Zone {
  RiscvCode body;
  unsigned turns = 0;
};

std::optional<Zone> find_zone(const std::string& name) {
  const auto of_probe = [](const char* probe, unsigned turns) {
    return Zone{find_core_probe(probe)->body, turns};
  };
  const auto divides = [](unsigned dividend, unsigned turns) {
    const auto body = [dividend](RiscvCode& c) { c.reg(Op::DIVU, 10, dividend, kThree); };
    return Zone{repeated(16, 16, body).body, turns};
  };
  if (name == "marker_null") return Zone{};
  if (name == "alu_dep") return of_probe("rv_addi_dep", 94);
  if (name == "alu_ind") return of_probe("rv_addi_indep", 94);
  if (name == "mul_dep") return of_probe("rv_mul_dep", 47);
  if (name == "mul_ind") return of_probe("rv_mul_indep", 94);
  if (name == "div_small") return divides(kSmall, 31);
  if (name == "div_large") return divides(kDividend, 13);
  if (name == "load_dep") return of_probe("rv_load_chase", 12);
  if (name == "store_spread") return of_probe("rv_store_spread", 19);
  if (name == "branch_nt") return of_probe("c_xor_nt", 47);
  if (name == "branch_t") return of_probe("c_xor_t", 47);
  if (name != "load_ind") return std::nullopt;
  const auto body = [](RiscvCode& c) {
    for (unsigned i = 0; i < 8; ++i) c.imm(Op::LW, 10 + i % 4, kScratch, 16 * static_cast<int>(i));
  };
  return Zone{repeated(8, 64, body).body, 54};
}

} // namespace

std::optional<double> zone_rate(const std::string& name) {
  const auto zone = find_zone(name);
  if (!zone) return std::nullopt;
  // The counters are those of cycles and of retired instructions; reading any CSR costs the same.
  constexpr std::int32_t kAnyCsr = 0x7C3;
  RiscvCode code;
  for (unsigned i = 0; i < 2; ++i) code.imm(Op::CSRRS, kTime, 0, kAnyCsr);
  if (zone->turns != 0) {
    code.imm(Op::ADDI, kCounter, 0, static_cast<std::int32_t>(zone->turns));
    const std::int32_t first = code.bytes();
    code.words.insert(code.words.end(), zone->body.words.begin(), zone->body.words.end());
    code.imm(Op::ADDI, kCounter, kCounter, -1);
    code.branch(Op::BNE, kCounter, 0, first - code.bytes());
  }
  for (unsigned i = 0; i < 2; ++i) code.imm(Op::CSRRS, kTime, 0, kAnyCsr);
  TimedCore core(Arch::Blackhole, {});
  prepare_probe(core);
  core.load_code(code);
  const auto cycles = core.run();
  const std::size_t retired = cycles.size() - 3; // from one read of that counter to the other
  return static_cast<double>(cycles.back() - cycles.front()) / static_cast<double>(retired);
}

} // namespace lanewise::test
