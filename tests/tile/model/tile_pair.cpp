#include "tile/model/tile_pair.h"

#include <algorithm>

namespace lanewise::test::model {

namespace {

constexpr std::uint32_t kAllBits = 0xFFFFFFFF;

SourceFile& file_of(MachineState& machine, unsigned which) {
  return which == 0 ? machine.srca : machine.srcb;
}
const SourceFile& file_of(const MachineState& machine, unsigned which) {
  return which == 0 ? machine.srca : machine.srcb;
}

std::string differ(const std::string& place, std::uint32_t model, std::uint32_t tile) {
  return fmt::format("{}: the model has {:08X}, the tile {:08X}", place, model, tile);
}

} // namespace

TilePair::TilePair(Arch arch, std::uint32_t seed)
    : model(arch == Arch::Blackhole), tile(arch), random_(seed) {
  for (std::uint8_t& byte : model.l1) byte = static_cast<std::uint8_t>(bits());
  for (auto& registers : model.gpr) {
    for (std::uint32_t& value : registers) value = bits();
  }
  randomise_sources();
  randomise_dst();
  randomise_counters();
}

void TilePair::reset() {
  for (auto& bank : model.config) bank.fill(0);
  for (auto& words : model.thread_config) words.fill(0);
  for (PackerModel& packer : model.packer) packer = {};
  for (auto& latch : model.latch) latch.reset();
  for (auto& mutex : model.mutex) mutex.reset();
  for (SemaphoreModel& each : model.semaphore) each = {};
  for (SourceModel& each : model.source) {
    each.with_matrix_unit = {false, false};
    each.format = {0, 0};
    each.matrix_bank = each.unpack_bank = 0;
    each.row = {};
    each.context = {};
  }
  model.views_high_halves = false;
  model.undefined = false;
}

void TilePair::disturb_other_bank(unsigned thread) {
  const unsigned other = 1 - (model.thread_config[thread][0] & 1U);
  for (unsigned word = 0; word < model.first_single_word(); ++word)
    model.config[other][word] = bits();
}

void TilePair::randomise_sources() {
  constexpr std::uint32_t kCell = 0x7FFFF;
  for (SourceModel& each : model.source) {
    for (auto& bank : each.cell) {
      for (auto& row : bank) {
        for (std::uint32_t& cell : row) cell = bits() & kCell;
      }
    }
  }
}

void TilePair::randomise_dst() {
  for (auto& row : model.dst) {
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(bits());
  }
  for (bool& valid : model.dst_valid) valid = !one_in(8);
}

void TilePair::randomise_l1(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) model.l1[first + i] = static_cast<std::uint8_t>(bits());
}

void TilePair::randomise_counters() {
  const std::uint32_t zw = model.is_blackhole ? 0x1FFF : 0xFF;
  const std::uint32_t mask[] = {0x3FFFF, 0x1FFF, zw, zw};
  for (auto& of_thread : model.adc) {
    for (auto& of_unit : of_thread) {
      for (AdcChannel& channel : of_unit) {
        for (unsigned axis = 0; axis < 4; ++axis) {
          channel.value[axis] = bits() & mask[axis];
          channel.cr[axis] = bits() & mask[axis];
        }
      }
    }
  }
}

void TilePair::publish() {
  tile::TileState& state = tile.state();
  MachineState& machine = state.machine;
  std::copy(model.l1.begin(), model.l1.end(), state.l1.bytes().begin());
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (unsigned word = 0; word < model.shared_words(); ++word)
      machine.config.write_bank(bank, word, model.config[bank][word], kAllBits);
  }
  machine.config.set(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE,
                     model.views_high_halves ? kHighHalfView : 0, 0);
  for (unsigned thread = 0; thread < kThreadCount; ++thread) {
    for (unsigned word = 0; word < model.thread_words(); ++word)
      machine.config.write_thread(word, model.thread_config[thread][word], thread);
    machine.gpr_of(thread) = model.gpr[thread];
    state.thread[thread].gate.latched.reset();
    state.thread[thread].queue.clear();
    for (unsigned unit = 0; unit < 3; ++unit) {
      for (unsigned channel = 0; channel < 2; ++channel) {
        for (unsigned axis = 0; axis < 4; ++axis) {
          const AdcChannel& from = model.adc[thread][unit][channel];
          state.counters.of(thread, unit)[channel].counter[axis] = {from.value[axis],
                                                                    from.cr[axis]};
        }
      }
    }
  }
  for (unsigned which = 0; which < 2; ++which) {
    const SourceModel& from = model.source[which];
    SourceFile& file = file_of(machine, which);
    for (unsigned bank = 0; bank < 2; ++bank) {
      for (unsigned row = 0; row < 64; ++row) {
        for (unsigned column = 0; column < 16; ++column)
          file.cell[bank][row][column] = arithmetic_order(from.cell[bank][row][column]);
      }
      file.owned_by_matrix_unit[bank] = from.with_matrix_unit[bank];
      file.format[bank] = static_cast<std::uint8_t>(from.format[bank]);
    }
    file.current = static_cast<std::uint8_t>(from.matrix_bank);
    file.filling = static_cast<std::uint8_t>(from.unpack_bank);
    for (unsigned thread = 0; thread < kThreadCount; ++thread) {
      state.unpacker[which].row[thread] = static_cast<std::uint8_t>(from.row[thread]);
      state.unpacker[which].context[thread] = static_cast<std::uint8_t>(from.context[thread]);
    }
  }
  for (unsigned row = 0; row < kDstRows; ++row) {
    std::copy(model.dst[row].begin(), model.dst[row].end(), machine.dst.cell[row]);
    machine.dst.set_valid(row, model.dst_valid[row]);
  }
  for (tile::Packer& packer : state.packer) packer = {};
  for (unsigned i = 0; i < 8; ++i) {
    state.sync.semaphore[i] = {static_cast<std::uint8_t>(model.semaphore[i].value),
                               static_cast<std::uint8_t>(model.semaphore[i].max)};
    state.sync.mutex[i] = {};
    if (model.mutex[i]) state.sync.mutex[i].owner = static_cast<std::uint8_t>(*model.mutex[i]);
  }
  state.findings.clear();
  machine.faults = {};
}

bool TilePair::run(unsigned thread, std::uint32_t word) {
  const bool model_went = model.step(thread, word);
  if (!tile.has_work(thread)) {
    const bool taken = tile.push(thread, {word, 1});
    EXPECT_TRUE(taken);
  }
  const bool tile_went = tile.step(thread);
  EXPECT_EQ(model_went, tile_went) << fmt::format("{:08X} of thread {}", word, thread);
  if (!tile_went) { // nobody waits any more
    tile.state().thread[thread].queue.clear();
    tile.state().thread[thread].wait = {};
  }
  return model_went;
}

std::string TilePair::faults() const {
  std::string text;
  for (const Fault& fault : tile.faults()) {
    if (!leaves_results_valid(fault.kind) && fault.kind != FaultKind::Hazard)
      text += to_string(fault) + "\n";
  }
  return text;
}

std::string TilePair::counter_difference() const {
  for (unsigned thread = 0; thread < kThreadCount; ++thread) {
    for (unsigned unit = 0; unit < 3; ++unit) {
      for (unsigned channel = 0; channel < 2; ++channel) {
        for (unsigned axis = 0; axis < 4; ++axis) {
          const AdcChannel& a = model.adc[thread][unit][channel];
          const auto& b = tile.state().counters.of(thread, unit)[channel].counter[axis];
          const auto place = [&](const char* what) {
            return fmt::format("ADC of thread {} unit {} channel {} {}{}", thread, unit, channel,
                               "XYZW"[axis], what);
          };
          if (a.value[axis] != b.value) return differ(place(""), a.value[axis], b.value);
          if (a.cr[axis] != b.cr) return differ(place("_Cr"), a.cr[axis], b.cr);
        }
      }
    }
  }
  return "";
}

std::string TilePair::source_difference() const {
  for (unsigned which = 0; which < 2; ++which) {
    const SourceModel& a = model.source[which];
    const SourceFile& b = file_of(tile.state().machine, which);
    const auto& unpacker = tile.state().unpacker[which];
    const std::string name = which == 0 ? "SrcA" : "SrcB";
    if (a.matrix_bank != b.current) return differ(name + " bank", a.matrix_bank, b.current);
    if (a.unpack_bank != b.filling) return differ(name + " to fill", a.unpack_bank, b.filling);
    for (unsigned bank = 0; bank < 2; ++bank) {
      if (a.with_matrix_unit[bank] != b.owned_by_matrix_unit[bank])
        return differ(fmt::format("owner of {} bank {}", name, bank), a.with_matrix_unit[bank],
                      b.owned_by_matrix_unit[bank]);
      if (model.is_blackhole && a.format[bank] != b.format[bank])
        return differ(fmt::format("format of {} bank {}", name, bank), a.format[bank],
                      b.format[bank]);
      for (unsigned row = 0; row < 64; ++row) {
        for (unsigned column = 0; column < 16; ++column) {
          const std::uint32_t cell = arithmetic_order(a.cell[bank][row][column]);
          if (cell != b.cell[bank][row][column])
            return differ(fmt::format("{} bank {} row {} column {}", name, bank, row, column), cell,
                          b.cell[bank][row][column]);
        }
      }
    }
    for (unsigned thread = 0; thread < kThreadCount; ++thread) {
      if (a.row[thread] != unpacker.row[thread])
        return differ(name + " SrcRow", a.row[thread], unpacker.row[thread]);
      if (a.context[thread] != unpacker.context[thread])
        return differ(name + " context", a.context[thread], unpacker.context[thread]);
    }
  }
  return "";
}

std::string TilePair::dst_difference() const {
  const Dst& dst = tile.state().machine.dst;
  for (unsigned row = 0; row < kDstRows; ++row) {
    if (model.dst_valid[row] != dst.valid(row))
      return differ(fmt::format("valid flag of Dst row {}", row), model.dst_valid[row],
                    dst.valid(row));
    for (unsigned column = 0; column < kDstColumns; ++column) {
      if (model.dst[row][column] != dst.cell[row][column])
        return differ(fmt::format("Dst row {} column {}", row, column), model.dst[row][column],
                      dst.cell[row][column]);
    }
  }
  return "";
}

std::string TilePair::config_difference() const {
  const ConfigState& config = tile.state().machine.config;
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (unsigned word = 0; word < model.shared_words(); ++word) {
      if (model.config[bank][word] != config.shared_word(bank, word))
        return differ(fmt::format("Config[{}] word {}", bank, word), model.config[bank][word],
                      config.shared_word(bank, word));
    }
  }
  for (unsigned thread = 0; thread < kThreadCount; ++thread) {
    for (unsigned word = 0; word < model.thread_words(); ++word) {
      if (model.thread_config[thread][word] != config.thread_word(thread, word))
        return differ(fmt::format("ThreadConfig of {} word {}", thread, word),
                      model.thread_config[thread][word], config.thread_word(thread, word));
    }
  }
  return "";
}

std::string TilePair::sync_difference() const {
  const tile::SyncUnit& sync = tile.state().sync;
  for (unsigned i = 0; i < 8; ++i) {
    if (model.semaphore[i].value != sync.semaphore[i].value)
      return differ(fmt::format("semaphore {}", i), model.semaphore[i].value,
                    sync.semaphore[i].value);
    if (model.semaphore[i].max != sync.semaphore[i].max)
      return differ(fmt::format("maximum of semaphore {}", i), model.semaphore[i].max,
                    sync.semaphore[i].max);
    const std::uint32_t nobody = kThreadCount;
    const std::uint32_t a = model.mutex[i].value_or(nobody);
    const std::uint32_t b = sync.mutex[i].owner ? *sync.mutex[i].owner : nobody;
    if (a != b) return differ(fmt::format("owner of mutex {}", i), a, b);
  }
  return "";
}

std::string TilePair::difference() const {
  for (const std::string& found : {counter_difference(), source_difference(), dst_difference(),
                                   config_difference(), sync_difference()}) {
    if (!found.empty()) return found;
  }
  const auto bytes = tile.state().l1.bytes();
  const auto [a, b] = std::mismatch(model.l1.begin(), model.l1.end(), bytes.begin());
  if (a != model.l1.end()) return differ(fmt::format("L1 at {:X}", a - model.l1.begin()), *a, *b);
  // gpr_of() is not const: it reads the registers of the thread that acts from another place.
  MachineState machine = tile.state().machine;
  for (unsigned thread = 0; thread < kThreadCount; ++thread) {
    for (unsigned i = 0; i < 64; ++i) {
      const std::uint32_t found = machine.gpr_of(thread)[i];
      if (model.gpr[thread][i] != found)
        return differ(fmt::format("GPR {} of thread {}", i, thread), model.gpr[thread][i], found);
    }
  }
  return "";
}

} // namespace lanewise::test::model
