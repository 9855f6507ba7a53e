// A second model of a tile, written from the documents alone (core.md, and the pages that it names)
// and as literally as they are: datum by datum, bit by bit, without any thought of speed. Nothing
// of chip/tile/ or chip/semantics/ is used, so that a mistake would have to be made twice.
//
// What the documents call undefined is not modelled; `undefined` says that it happened.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tile/model/fields.h"

namespace lanewise::test::model {

inline constexpr unsigned kThreadCount = 3;

/// Values and shadows of X, Y, Z and W.
struct AdcChannel {
  std::array<std::uint32_t, 4> value{}, cr{};
};

struct SourceModel {
  /// 19 bits in the order of the documents: sign, 10 of mantissa, 8 of exponent.
  std::array<std::array<std::array<std::uint32_t, 16>, 64>, 2> cell{};
  std::array<bool, 2> with_matrix_unit{};
  std::array<unsigned, 2> format{}; ///< Blackhole's implied formats
  unsigned matrix_bank = 0, unpack_bank = 0;
  std::array<unsigned, kThreadCount> row{};     ///< SrcRow
  std::array<unsigned, kThreadCount> context{}; ///< ContextCounter
};

/// Where a stream of a packer goes, and what it holds back.
struct StreamModel {
  bool needs_new_address = true;
  std::uint32_t address = 0;
  std::vector<bool> bits; ///< less than 16 bytes
};

struct PackerModel {
  StreamModel data, exponents;
  std::vector<std::uint32_t> block; ///< data that have no exponent yet
  unsigned x = 0, y = 0, z = 0;     ///< the tile position generator
};

struct SemaphoreModel {
  unsigned value = 0, max = 0;
};

/// A latched wait instruction.
struct LatchModel {
  bool is_semwait = false;
  unsigned conditions = 0, semaphores = 0, block = 0;
};

class Model {
 public:
  explicit Model(bool is_blackhole);

  bool is_blackhole;
  bool views_high_halves = false; ///< by bit 11 of DBG_FEATURE_DISABLE, where 16 bits of Dst lie
  bool undefined = false;         ///< something that no document defines has happened

  std::vector<std::uint8_t> l1;
  std::array<std::array<std::uint32_t, 224>, 2> config{};
  std::array<std::array<std::uint16_t, 68>, kThreadCount> thread_config{};
  std::array<std::array<std::uint32_t, 64>, kThreadCount> gpr{};
  /// By thread, unit (unpackers, packers) and channel.
  std::array<std::array<std::array<AdcChannel, 2>, 3>, kThreadCount> adc{};
  std::array<SourceModel, 2> source; ///< SrcA, SrcB
  std::array<std::array<std::uint16_t, 16>, 1024> dst{};
  std::array<bool, 1024> dst_valid{};
  std::array<PackerModel, 4> packer;
  std::array<SemaphoreModel, 8> semaphore{};
  std::array<std::optional<unsigned>, 8> mutex{};
  std::array<std::optional<LatchModel>, kThreadCount> latch{};

  /// Which bytes of L1 and which rows of Dst have been read, if somebody wants to know.
  bool traces = false;
  std::set<std::uint32_t> l1_read;
  std::set<unsigned> dst_read;

  unsigned shared_words() const { return is_blackhole ? 224 : 188; }
  unsigned thread_words() const { return is_blackhole ? 68 : 57; }
  /// From this word on, both banks are one.
  unsigned first_single_word() const { return is_blackhole ? 180 : 152; }

  std::uint32_t get(const Field& field, unsigned thread) const;
  std::uint32_t get_thread(const Field& field, unsigned thread) const;
  /// Sets a field in both banks.
  void set(const Field& field, std::uint32_t value);
  void set_thread(const Field& field, std::uint32_t value, unsigned thread);
  void write_config(unsigned bank, unsigned word, std::uint32_t value);

  /// Executes an instruction, or says that it has to wait: false.
  bool step(unsigned thread, std::uint32_t word);

 private:
  bool execute(unsigned thread, std::uint32_t word);
  const Place& place(const Field& field) const { return is_blackhole ? field.bh : field.wh; }
  std::uint32_t& config_word(unsigned thread, unsigned word);

  // counters.cpp
  bool counters(unsigned thread, std::uint32_t word);
  std::uint32_t cut(unsigned axis, std::uint32_t value) const;
  void set_counter(AdcChannel& channel, unsigned axis, std::uint32_t value);
  void increment(AdcChannel& channel, unsigned axis, std::uint32_t by);

  // unpack.cpp
  bool unpack(unsigned thread, std::uint32_t word);
  bool unpack_nop(unsigned thread, std::uint32_t word);
  void hand_over(unsigned unpacker, unsigned thread, std::optional<unsigned> format);
  std::uint32_t read_bits(std::uint64_t bit_address, unsigned count);
  unsigned dst_row(unsigned row, bool wide) const;
  void advance_unpack_counters(unsigned unpacker, unsigned thread, unsigned which,
                               std::uint32_t word);

  // banks.cpp
  bool banks(unsigned thread, std::uint32_t word);
  void give_back(unsigned source_number, unsigned thread, bool keeps_reading, bool heeds_disable);

  // pack.cpp
  bool pack(unsigned thread, std::uint32_t word);
  unsigned pack_counters(unsigned packer_number, unsigned thread, std::uint32_t word) const;
  void place_streams(unsigned packer_number, unsigned thread, std::uint32_t word);
  void read_dst(unsigned packer_number, unsigned thread, std::uint32_t word);
  void read_interfaces(unsigned thread, std::uint32_t word, unsigned first, unsigned count);
  void datum(unsigned packer_number, unsigned thread, unsigned index, unsigned tile_y,
             unsigned tile_z);
  void advance_tile_position(unsigned packer_number, unsigned thread);
  void emit(unsigned packer_number, unsigned thread, std::uint32_t value);
  void append(StreamModel& stream, std::uint32_t value, unsigned bits, unsigned accumulates_as);
  void write_out(StreamModel& stream, unsigned accumulates_as);
  void end_streams(unsigned packer_number, unsigned thread);
  void advance_pack_counters(unsigned thread, std::uint32_t word, unsigned threads);

  // scalar.cpp
  bool scalar(unsigned thread, std::uint32_t word);
  bool memory(unsigned thread, std::uint32_t word);
  bool configuration(unsigned thread, std::uint32_t word);
  std::uint32_t load(std::uint32_t address, unsigned bytes);
  void store(std::uint32_t address, unsigned bytes, std::uint32_t value);

  // sync.cpp
  bool sync(unsigned thread, std::uint32_t word);
  bool is_held(unsigned thread, std::uint32_t word);
  bool keeps_waiting(const LatchModel& wait) const;
};

} // namespace lanewise::test::model
