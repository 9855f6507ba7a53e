// Which relations hold between pairs of numbers: one kernel for all of them, interpreted and
// compiled.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "oracle/interpreter_bench.h"
#include "source/compiler/compiler.h"

namespace lanewise::oracle {

/// What is compared, and by which release of the compiler.
struct ComparedBy {
  Arch arch;
  int epoch;
  NumberType type;
  std::optional<std::uint32_t> literal = {}; ///< stands on the right instead of a vector
};

using Pair = std::array<std::uint32_t, 2>;

/// The relations that hold: '<' or '.', '=' or '.', '>' or '.'. The other three are their
/// opposites, which this checks, as it checks that the compiled kernel agrees with the interpreter.
inline std::vector<std::string> relations_of(const ComparedBy& by, const std::vector<Pair>& pairs) {
  constexpr unsigned kRelations = 6;
  KernelWriter w(by.arch);
  const auto left = w.read_lreg(0);
  const auto right = by.literal ? w.constant(*by.literal) : w.read_lreg(1);
  for (unsigned r = 0; r < kRelations; ++r) {
    const auto holds = w.compare(left, static_cast<Relation>(r), right, by.type);
    w.store(w.from_condition(holds), static_cast<std::int32_t>(2 * r), kInt32);
  }
  compiler::Recording recording = w.take();
  recording.epoch = by.epoch;
  const compiler::Options options;
  const compiler::Compiled compiled = compiler::compile(recording, options);
  EXPECT_TRUE(compiled.ok);

  std::vector<std::string> found;
  for (std::size_t first = 0; first < pairs.size(); first += kLanes) {
    test::Rig interpreted(by.arch), executed(by.arch);
    for (test::Rig* rig : {&interpreted, &executed}) {
      enter_kernel(rig->state());
      rig->configure("ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
      for (unsigned lane = 0; lane < kLanes && first + lane < pairs.size(); ++lane) {
        rig->state().vector.lreg[0][lane] = pairs[first + lane][0];
        rig->state().vector.lreg[1][lane] = pairs[first + lane][1];
      }
    }
    FrontEnd front_end(by.arch), runner(by.arch);
    for (const Fault& fault : interpret(recording, interpreted.state(), front_end))
      ADD_FAILURE() << to_string(fault);
    execute(executed.state(), runner.expand(compiled.program).ops);
    for (unsigned r = 0; r < kRelations; ++r) {
      EXPECT_EQ(lanes_in_dst(interpreted, 2 * r), lanes_in_dst(executed, 2 * r))
          << arch_params(by.arch).names.full << " epoch " << by.epoch << " relation " << r;
    }
    const auto holds = [&](Relation relation, unsigned lane) {
      return lanes_in_dst(executed, 2 * static_cast<unsigned>(relation))[lane] != 0;
    };
    for (unsigned lane = 0; lane < kLanes && first + lane < pairs.size(); ++lane) {
      const bool less = holds(Relation::LT, lane), equal = holds(Relation::EQ, lane),
                 greater = holds(Relation::GT, lane);
      EXPECT_NE(less, holds(Relation::GE, lane));
      EXPECT_NE(equal, holds(Relation::NE, lane));
      EXPECT_NE(greater, holds(Relation::LE, lane));
      found.push_back({less ? '<' : '.', equal ? '=' : '.', greater ? '>' : '.'});
    }
  }
  return found;
}

inline std::string relations_of(const ComparedBy& by, std::uint32_t left, std::uint32_t right) {
  return relations_of(by, std::vector<Pair>{{left, right}}).front();
}

} // namespace lanewise::oracle
