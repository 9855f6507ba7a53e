#include "run/vectors/tile_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace lanewise::vectors {

namespace {

/// One of the two states, with what it expects of the other one's lines.
class CaseText {
 public:
  CaseText(const tile::TileState& before, const tile::TileState& after)
      : before_(before),
        after_(after),
        machine_before_(before.machine),
        machine_after_(after.machine) {}

  std::string make(std::string_view name, const ThreadWords& words) {
    line("case {}", name);
    line("arch {}", arch_params(before_.arch()).names.id);
    line("tile");
    state(false);
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (const std::uint32_t word : words[thread]) line("run {} {:08x}", thread, word);
    }
    state(true);
    line("expect unchanged l1 dst srca srcb");
    line("end");
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void state(bool expects) {
    prefix_ = expects ? "expect " : "";
    config(expects);
    counters(expects);
    registers(expects);
    sync(expects);
    banks();
    sources(expects);
    dst(expects);
    l1(expects);
  }

  const tile::TileState& of(bool after) const { return after ? after_ : before_; }
  MachineState& machine(bool after) { return after ? machine_after_ : machine_before_; }

  /// Initial words that are not 0; afterwards those that have changed.
  void config(bool expects) {
    const ArchParams& chip = arch_params(before_.arch());
    const ConfigState &old = machine_before_.config, &now = machine(expects).config;
    for (unsigned bank = 0; bank < 2; ++bank) {
      const unsigned words = bank == 0 ? chip.config.shared_words : chip.config.global_base;
      for (unsigned word = 0; word < words; ++word) {
        const std::uint32_t value = now.shared_word(bank, word);
        if (value != (expects ? old.shared_word(bank, word) : 0))
          line("{}config {} {} {:x}", prefix_, bank, word, value);
      }
    }
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (unsigned word = 0; word < chip.config.thread_words; ++word) {
        const std::uint32_t value = now.thread_word(thread, word);
        if (value != (expects ? old.thread_word(thread, word) : 0U))
          line("{}threadconfig {} {} {:x}", prefix_, thread, word, value);
      }
    }
  }

  void counters(bool expects) {
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (unsigned unit = 0; unit < tile::kCountedUnits; ++unit) {
        for (unsigned channel = 0; channel < 2; ++channel) {
          const tile::Channel& at = of(expects).counters.of(thread, unit)[channel];
          if (at == tile::Channel() &&
              before_.counters.of(thread, unit)[channel] == tile::Channel())
            continue;
          std::string values;
          for (const auto& each : at.counter) values += fmt::format(" {}", each.value);
          for (const auto& each : at.counter) values += fmt::format(" {}", each.cr);
          line("{}adc {} {} {}{}", prefix_, thread, unit, channel, values);
        }
      }
    }
  }

  void registers(bool expects) {
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (unsigned i = 0; i < machine_before_.gpr.size(); ++i) {
        const std::uint32_t value = machine(expects).gpr_of(thread)[i];
        if (value != 0 || machine_before_.gpr_of(thread)[i] != 0)
          line("{}gpr {} {} {:x}", prefix_, thread, i, value);
      }
    }
  }

  void sync(bool expects) {
    const tile::SyncUnit &old = before_.sync, &now = of(expects).sync;
    for (unsigned i = 0; i < tile::kSemaphores; ++i) {
      const tile::Semaphore& at = now.semaphore[i];
      if (at != tile::Semaphore() || old.semaphore[i] != tile::Semaphore())
        line("{}semaphore {} {} {}", prefix_, i, at.value, at.max);
    }
    for (unsigned i = 0; i < tile::kMutexes; ++i) {
      if (now.mutex[i].owner || old.mutex[i].owner)
        line("{}mutex {} {}", prefix_, i, now.mutex[i].owner.value_or(kThreads));
    }
  }

  void banks() {
    const bool after = !prefix_.empty();
    const SourceFile &a = machine(after).srca, &b = machine(after).srcb;
    line("{}srcbank {} {}", prefix_, a.current, b.current);
    line("{}fillbank {} {}", prefix_, a.filling, b.filling);
    const auto &x = a.owned_by_matrix_unit, &y = b.owned_by_matrix_unit;
    line("{}srcowner {:d} {:d} {:d} {:d}", prefix_, x[0], x[1], y[0], y[1]);
    line("{}srcfmt {} {} {} {}", prefix_, a.format[0], a.format[1], b.format[0], b.format[1]);
    for (unsigned u = 0; u < 2; ++u) {
      const tile::Unpacker& at = of(after).unpacker[u];
      line("{}srcrow {} {}", prefix_, u, fmt::join(at.row, " "));
      line("{}context {} {}", prefix_, u, fmt::join(at.context, " "));
    }
  }

  /// Rows that are not 0, and afterwards those that have changed.
  void sources(bool expects) {
    for (unsigned which = 0; which < 2; ++which) {
      const SourceFile& old = which == 0 ? machine_before_.srca : machine_before_.srcb;
      const SourceFile& now = which == 0 ? machine(expects).srca : machine(expects).srcb;
      for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
        for (unsigned row = 0; row < kSourceRows; ++row) {
          const std::span cells(now.cell[bank][row]);
          if (expects ? std::ranges::equal(cells, old.cell[bank][row]) : is_zero(cells)) continue;
          line("{}src{} {} {} {:x}", prefix_, which == 0 ? 'a' : 'b', bank, row,
               fmt::join(cells, " "));
        }
      }
    }
  }

  void dst(bool expects) {
    const Dst &old = machine_before_.dst, &now = machine(expects).dst;
    for (unsigned row = 0; row < kDstRows; ++row) {
      const std::span cells(now.cell[row]);
      if (now.valid(row) != (expects ? old.valid(row) : true))
        line("{}dstvalid {} {} {:d}", prefix_, row, row, now.valid(row));
      if (expects ? std::ranges::equal(cells, old.cell[row]) : is_zero(cells)) continue;
      line("{}dst {} {:x}", prefix_, row, fmt::join(cells, " "));
    }
  }

  /// Sixteen bytes at a time.
  void l1(bool expects) {
    constexpr std::size_t kChunk = 16;
    const auto old = before_.l1.bytes(), now = of(expects).l1.bytes();
    for (std::size_t at = 0; at < now.size(); at += kChunk) {
      const auto bytes = now.subspan(at, kChunk);
      if (expects ? std::ranges::equal(bytes, old.subspan(at, kChunk)) : is_zero(bytes)) continue;
      line("{}l1 {:x} {:02x}", prefix_, at, fmt::join(bytes, ""));
    }
  }

  static bool is_zero(const auto& values) {
    return std::ranges::all_of(values, [](auto value) { return value == 0; });
  }

  const tile::TileState &before_, &after_;
  MachineState machine_before_, machine_after_; ///< copies: GPRs of threads are read by reference
  std::string text_;
  std::string_view prefix_;
};

} // namespace

std::string tile_case_text(std::string_view name, const tile::TileState& before,
                           const ThreadWords& words, const tile::TileState& after) {
  return CaseText(before, after).make(name, words);
}

} // namespace lanewise::vectors
