// Records vectors about a whole tile, on the model of tests/tile/model: ARCH SEED to standard
// output (tests/scripts/record_tile_vectors.sh).
#include <fmt/format.h>

#include <map>
#include <string>

#include "run/vectors/tile_writer.h"
#include "tile/model/pack_case.h"
#include "tile/model/program_case.h"
#include "tile/model/short_words.h"
#include "tile/model/unpack_case.h"

namespace lanewise::test::model {
namespace {

constexpr unsigned kUnpacksOfAKind = 5, kPacksOfAKind = 4, kSequencesOfAKind = 8, kPrograms = 6;
constexpr unsigned kMostData = 96; ///< of a case, so that the file stays small

class Recorder {
 public:
  Recorder(Arch arch, std::uint32_t seed) : pair_(arch, seed) { pair_.model.traces = true; }

  void record() {
    unpacks();
    packs();
    sequences("counters", {counter_word});
    sequences("registers", {register_word});
    sequences("config", {config_word, register_word});
    sequences("memory", {memory_word});
    sequences("banks", {bank_word});
    sequences("semaphores", {sync_word, counter_word});
    programs();
  }

 private:
  using WordMaker = std::uint32_t (*)(TilePair&);

  void unpacks() {
    for (unsigned tries = 0; tries < 4000; ++tries) {
      UnpackCase test(pair_);
      const std::uint32_t word = test.make();
      if (test.data() > kMostData || seen_[test.family()] >= kUnpacksOfAKind) continue;
      for (auto& of_thread : pair_.model.adc) of_thread[2] = {};
      for (auto& registers : pair_.model.gpr) registers.fill(0);
      vectors::ThreadWords words;
      words[test.thread()] = {word};
      one(test.family(), words);
    }
  }

  void packs() {
    for (unsigned tries = 0; tries < 4000; ++tries) {
      if (tries % 64 == 0) pair_.randomise_dst();
      PackCase test(pair_);
      vectors::ThreadWords words;
      words[test.thread()] = test.make();
      if (test.data() > kMostData || seen_[test.family()] >= kPacksOfAKind) continue;
      for (auto& of_thread : pair_.model.adc) of_thread[0] = of_thread[1] = {};
      for (auto& registers : pair_.model.gpr) registers.fill(0);
      one(test.family(), words);
    }
  }

  /// Sequences of one thread, each up to where it would wait.
  void sequences(const std::string& family, const std::vector<WordMaker>& makers) {
    constexpr unsigned kWords = 24;
    for (unsigned i = 0; i < kSequencesOfAKind; ++i) {
      pair_.reset();
      Model& model = pair_.model;
      for (auto& of_thread : model.adc) of_thread = {};
      for (auto& registers : model.gpr) registers.fill(0);
      const unsigned thread = pair_.below(3);
      for (std::uint32_t& value : model.gpr[thread]) value = pair_.bits();
      for (unsigned k = 0; k < 4; ++k) model.gpr[thread][k] = 0x1000 + pair_.below(0x20);
      for (unsigned k = 4; k < 6; ++k) model.gpr[thread][k] = pair_.bits() & 0x00FF00FF;
      for (std::uint32_t at = 0x10000; at < 0x10400; ++at)
        model.l1[at] = static_cast<std::uint8_t>(pair_.one_in(2) ? pair_.below(4) : 0);
      vectors::ThreadWords words;
      Model rehearsal = model;
      for (unsigned k = 0; k < kWords; ++k) {
        const std::uint32_t word =
            makers[pair_.below(static_cast<std::uint32_t>(makers.size()))](pair_);
        if (!rehearsal.step(thread, word)) break;
        words[thread].push_back(word);
      }
      one("sequence/" + family, words);
    }
  }

  void programs() {
    for (unsigned i = 0; i < kPrograms; ++i) {
      ProgramCase test(pair_);
      test.make();
      vectors::ThreadWords words;
      for (unsigned thread = 0; thread < 3; ++thread) words[thread] = test.words(thread);
      for (auto& byte : pair_.model.l1) byte &= 0xC3; // smaller when compressed
      one("program", words);
    }
  }

  /// Every thread as far as it goes, in turn. False: somebody waits for ever.
  static bool run(Model& model, const vectors::ThreadWords& words) {
    std::array<std::size_t, 3> next{};
    for (bool went = true; went;) {
      went = false;
      for (unsigned thread = 0; thread < 3; ++thread) {
        while (next[thread] < words[thread].size() &&
               model.step(thread, words[thread][next[thread]])) {
          ++next[thread];
          went = true;
        }
      }
    }
    for (unsigned thread = 0; thread < 3; ++thread) {
      if (next[thread] < words[thread].size()) return false;
    }
    return !model.undefined;
  }

  /// What is not looked at becomes 0.
  static void trim(Model& model, const Model& traced) {
    for (std::uint32_t at = 0; at < model.l1.size(); ++at) {
      if (model.l1[at] != 0 && !traced.l1_read.contains(at)) model.l1[at] = 0;
    }
    for (unsigned row = 0; row < model.dst.size(); ++row) {
      if (traced.dst_read.contains(row)) continue;
      model.dst[row] = {};
      model.dst_valid[row] = true;
    }
    for (SourceModel& source : model.source) source.cell = {};
    for (unsigned bank = 0; bank < 2; ++bank) {
      bool in_use = false;
      for (const auto& words : model.thread_config) in_use = in_use || (words[0] & 1U) == bank;
      for (unsigned word = 0; word < model.first_single_word() && !in_use; ++word)
        model.config[bank][word] = 0;
    }
  }

  void one(const std::string& family, const vectors::ThreadWords& words) {
    const Model kept = pair_.model;
    Model traced = kept;
    traced.l1_read.clear();
    traced.dst_read.clear();
    if (run(traced, words)) {
      Model before = kept, after = kept;
      trim(before, traced);
      after = before;
      if (run(after, words)) print(family, before, words, after);
    }
    pair_.model = kept;
  }

  void print(const std::string& family, const Model& before, const vectors::ThreadWords& words,
             const Model& after) {
    pair_.model = before;
    pair_.publish();
    const tile::TileState old = pair_.tile.state();
    pair_.model = after;
    pair_.publish();
    fmt::print("{}", vectors::tile_case_text(fmt::format("{}/{}", family, ++seen_[family]), old,
                                             words, pair_.tile.state()));
  }

  TilePair pair_;
  std::map<std::string, unsigned> seen_;
};

} // namespace
} // namespace lanewise::test::model

int main(int count, char** arguments) {
  using namespace lanewise;
  const auto arch = count == 3 ? parse_arch(arguments[1]) : std::nullopt;
  if (!arch) {
    fmt::print(stderr, "usage: lanewise_record_tile ARCH SEED\n");
    return 2;
  }
  fmt::print("# {}, a whole tile: recorded from the model in tests/tile/model, not from silicon\n",
             arch_params(*arch).names.full);
  test::model::Recorder(*arch, static_cast<std::uint32_t>(std::stoul(arguments[2]))).record();
  return 0;
}
