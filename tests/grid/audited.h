// Programs with one mistake each, as public threads on tt-metal's kernels describe them; the text
// of the programs is our own. The first runtime argument of each kernel says which mistake it
// makes: so each kernel is compiled once.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "launch/own_programs.h"
#include "run/grid/grid.h"

namespace lanewise::grid {

class Audited : public launch::OwnHeadersTest {
 protected:
  /// A description whose kernels have these texts, in their order. The words of the first buffer
  /// are all 7.
  void make(const std::string& text, const std::vector<std::string_view>& kernels) {
    parse(text);
    programs::Buffer& input = program().buffers.front();
    input.contents.assign(input.bytes, 0);
    for (std::size_t i = 0; i < input.contents.size(); i += 4) input.contents[i] = 7;
    ASSERT_EQ(program().kernels.size(), kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      program().kernels[i].file.clear();
      program().kernels[i].text = kernels[i];
    }
    auto ready = prepare(program(), {});
    ASSERT_TRUE(ready.has_value()) << to_string(ready.error());
    prepared = std::move(*ready);
  }

  std::string run_with(std::uint32_t mistake, const tile::ScheduleChoice& order) {
    for (programs::CoreProgram& core : prepared.cores)
      for (programs::Kernel& kernel : core.program.kernels) kernel.runtime_args[0] = mistake;
    auto outcome = grid::run(prepared, {.schedule = order});
    if (!outcome) return to_string(outcome.error());
    is_done = outcome->is_done();
    words.resize(outcome->buffers.back().size() / 4);
    if (!words.empty()) std::memcpy(words.data(), outcome->buffers.back().data(), words.size() * 4);
    return launch::text_of(*outcome);
  }

  static std::vector<tile::ScheduleChoice> three_orders() {
    using tile::Order;
    return {{.order = Order::RoundRobin, .seed = 0},
            {.order = Order::Random, .seed = 1},
            {.order = Order::Adversarial, .seed = 0}};
  }

  /// No finding, and the words of the last buffer begin with these.
  void expect_right(std::uint32_t version, const std::vector<std::uint32_t>& first) {
    for (const tile::ScheduleChoice& order : three_orders()) {
      EXPECT_EQ(run_with(version, order), "") << version;
      EXPECT_TRUE(is_done) << version;
      ASSERT_GE(words.size(), first.size());
      for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(words[i], first[i]) << version;
    }
  }

  /// In each of the orders, with these parts in what is told, all of them in one sentence.
  void expect_found(std::uint32_t mistake, const std::vector<std::string>& parts) {
    for (const tile::ScheduleChoice& order : three_orders()) {
      const std::string text = run_with(mistake, order);
      std::size_t best = 0;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        best = std::max<std::size_t>(best, std::ranges::count_if(parts, [&](const auto& part) {
                                       return line.find(part) != std::string::npos;
                                     }));
        begin = end + 1;
      }
      EXPECT_EQ(best, parts.size()) << mistake << "\n" << text;
    }
  }

  Prepared prepared;
  bool is_done = false;
  std::vector<std::uint32_t> words; ///< of the last buffer
};

} // namespace lanewise::grid
