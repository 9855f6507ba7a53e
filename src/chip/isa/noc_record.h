// One record per chip of what lies beyond its L1: the registers of a core's two NIUs, where DRAM is
// on the NoC, and which registers of the overlay are scratch.
//
// Sources: noc_parameters.h and noc_overlay_parameters.h of tt-metal for registers and packets;
// soc_descriptors/*.yaml there for the ports of DRAM and which port each NoC takes; for virtual
// coordinates tt-umd (blackhole_implementation.hpp) and VIRTUAL_TENSIX_START_X; ISA NoC/MemoryMap.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "chip/isa/arch.h"

namespace lanewise {

inline constexpr unsigned kNocs = 2;

/// A coordinate, as a packet names it.
struct NocPlace {
  std::uint8_t x = 0, y = 0;

  friend bool operator==(const NocPlace&, const NocPlace&) = default;
};

/// A bank of DRAM: a part of a channel.
struct DramBank {
  std::uint8_t channel;
  std::array<std::uint8_t, kNocs> port; ///< of the channel, which the tables of banks name
  std::uint32_t offset;                 ///< of the bank's address 0 in its channel
};

inline constexpr unsigned kDramPorts = 3; ///< of a channel: all reach the same memory

/// In cycles; rates in tenths of bytes in a cycle. Hops are what a packet takes from router to
/// router.
struct NocClock {
  std::uint8_t flit; ///< bytes in a cycle at most; each packet has one more in front
  std::uint8_t hop;  ///< NL: what another axis adds, by the routers on that ring
  std::uint8_t out;  ///< from the request until the first router has it
  std::uint8_t at_core, at_bank_read, at_bank_write; ///< from the last router to where data lie
  std::uint8_t in;       ///< from the last router until the core that asked knows
  std::uint16_t rate;    ///< of links, and of NIUs into and out of cores: NL, writes from 2 KiB on
  std::uint8_t requests; ///< that a NIU or a bank takes in before it has answered; assumed
  std::uint8_t part_write;           ///< of a bank, of less than 128 bytes: NL; 0: as others
  std::uint8_t reserve, reserve_hop; ///< of a multicast's way, there and back: NL, by length
  std::uint16_t answer_rate;         ///< of a NIU whose core is read: NL, reads from 4 KiB on
};

struct NocRecord {
  // --- Registers of an NIU (offsets in bytes)
  std::uint8_t buffer_bits; ///< the registers of command buffers lie 1 << buffer_bits apart
  std::uint8_t data, send, node, clear_counts;
  std::uint8_t
      excluded; ///< of a multicast's rectangle: BRCST_EXCLUDE; 0: there is no such register
  bool takes_posted_atomics; ///< to one core; tt-metal asks for an answer where the NoC may hang
  std::uint8_t target_place, return_place; ///< the registers that have the coordinates
  std::uint8_t place_bit;                  ///< where these begin in them
  std::uint8_t own_place_config;           ///< the CFG register with the core's own coordinates

  // --- Packets
  std::uint16_t packet_bytes;        ///< the longest
  std::uint8_t dram_read_congruence; ///< source and destination are equal modulo this

  // --- Places
  NocPlace grid;                        ///< columns and rows of the NoC
  NocPlace worker;                      ///< the virtual coordinates of the compute core (0, 0)
  std::uint8_t columns_before_gap, gap; ///< of cores; then so many columns are not of cores
  bool mirrors_ports; ///< NoC 1 counts the coordinates of DRAM from the other corner
  std::span<const DramBank> banks;
  std::span<const std::array<NocPlace, kDramPorts>> channels;
  std::uint64_t bank_bytes; ///< of a bank
  std::uint8_t dram_alignment;
  std::uint32_t dram_begin; ///< the first address that is given to buffers
  NocPlace compute_grid;    ///< columns and rows that programs see of a card
  NocPlace pcie;            ///< which kernels are told
  // Where routers lie, as NoC 0 counts: columns and rows without compute cores, ports of channels
  std::span<const std::uint8_t> other_columns, other_rows;
  std::span<const std::array<NocPlace, kDramPorts>> channel_routers;

  // --- L1 of a core (dev_mem_map.h, hal)
  std::uint32_t l1_begin; ///< the first address that is given to circular buffers
  std::uint32_t zeros;    ///< 512 bytes that are zero

  // --- The overlay: registers of a stream that keep what is stored, by number
  std::uint8_t received, acked; ///< of a circular buffer, whose number is that of the stream
  std::uint8_t circular_buffers;

  // --- In time, cycles and tenths of bytes in a cycle. "NL": noc_latencies.yaml of tt-metal, one
  // transaction between one core and one bank, of 64 bytes, less what each further one costs its
  // program. "Npe": the device models of tt-npe
  std::uint16_t dram_read_latency, dram_write_latency; ///< beside the bytes: NL
  std::uint16_t own_read_latency, own_write_latency;   ///< from and to the core's own L1: Npe
  std::uint16_t link_in, link_out; ///< of a NIU, what comes and what goes: NL, 256 of 8 KiB
  std::uint16_t bank_read;         ///< of a bank: dramratebench of one reader
  std::uint16_t bank_write;        ///< NL, from 64 bytes to 8 or 16 KiB

  // --- The same with many cores on the NoC, where each packet has a way (chip/noc/network.h)
  NocClock clock;
};

namespace noc_tables {

inline constexpr std::array<DramBank, 8> kBlackholeBanks{{{0, {2, 1}, 0},
                                                          {1, {0, 1}, 0},
                                                          {2, {0, 1}, 0},
                                                          {3, {0, 1}, 0},
                                                          {4, {2, 1}, 0},
                                                          {5, {2, 1}, 0},
                                                          {6, {2, 1}, 0},
                                                          {7, {2, 1}, 0}}};
/// Virtual: two columns of four channels, three ports each, from (17, 12) on.
inline constexpr std::array<std::array<NocPlace, kDramPorts>, 8> kBlackholeChannels{{
    {{{17, 12}, {17, 13}, {17, 14}}},
    {{{17, 15}, {17, 16}, {17, 17}}},
    {{{17, 18}, {17, 19}, {17, 20}}},
    {{{17, 21}, {17, 22}, {17, 23}}},
    {{{18, 12}, {18, 13}, {18, 14}}},
    {{{18, 15}, {18, 16}, {18, 17}}},
    {{{18, 18}, {18, 19}, {18, 20}}},
    {{{18, 21}, {18, 22}, {18, 23}}},
}};

/// Physical, as are the two below.
inline constexpr std::array<std::array<NocPlace, kDramPorts>, 8> kBlackholeRouters{{
    {{{0, 0}, {0, 1}, {0, 11}}},
    {{{0, 2}, {0, 10}, {0, 3}}},
    {{{0, 9}, {0, 4}, {0, 8}}},
    {{{0, 5}, {0, 7}, {0, 6}}},
    {{{9, 0}, {9, 1}, {9, 11}}},
    {{{9, 2}, {9, 10}, {9, 3}}},
    {{{9, 9}, {9, 4}, {9, 8}}},
    {{{9, 5}, {9, 7}, {9, 6}}},
}};
inline constexpr std::array<std::uint8_t, 3> kBlackholeOtherColumns{0, 8, 9};
inline constexpr std::array<std::uint8_t, 2> kBlackholeOtherRows{0, 1};

inline constexpr std::uint32_t kHalf = 1U << 30;
inline constexpr std::array<DramBank, 12> kWormholeBanks{{{0, {2, 2}, 0},
                                                          {0, {1, 1}, kHalf},
                                                          {1, {0, 0}, 0},
                                                          {1, {2, 2}, kHalf},
                                                          {2, {1, 1}, 0},
                                                          {2, {2, 2}, kHalf},
                                                          {3, {0, 0}, 0},
                                                          {3, {1, 1}, kHalf},
                                                          {4, {2, 2}, 0},
                                                          {4, {0, 0}, kHalf},
                                                          {5, {0, 0}, 0},
                                                          {5, {2, 2}, kHalf}}};
/// Physical.
inline constexpr std::array<std::array<NocPlace, kDramPorts>, 6> kWormholeChannels{{
    {{{0, 0}, {0, 1}, {0, 11}}},
    {{{0, 5}, {0, 6}, {0, 7}}},
    {{{5, 0}, {5, 1}, {5, 11}}},
    {{{5, 2}, {5, 9}, {5, 10}}},
    {{{5, 3}, {5, 4}, {5, 8}}},
    {{{5, 5}, {5, 6}, {5, 7}}},
}};
inline constexpr std::array<std::uint8_t, 2> kWormholeOtherColumns{0, 5};
inline constexpr std::array<std::uint8_t, 2> kWormholeOtherRows{0, 6};

} // namespace noc_tables

inline constexpr NocRecord kBlackholeNoc{
    .buffer_bits = 11,
    .data = 0x28,
    .send = 0x40,
    .node = 0x44,
    .clear_counts = 0x60,
    .excluded = 0x2C,
    .takes_posted_atomics = false,
    .target_place = 0x08,
    .return_place = 0x14,
    .place_bit = 0,
    .own_place_config = 0x12,
    .packet_bytes = 16384,
    .dram_read_congruence = 64,
    .grid = {17, 12},
    .worker = {1, 2},
    .columns_before_gap = 7,
    .gap = 2,
    .mirrors_ports = false,
    .banks = noc_tables::kBlackholeBanks,
    .channels = noc_tables::kBlackholeChannels,
    .bank_bytes = 4278190080,
    .dram_alignment = 64,
    .dram_begin = 0x100080,
    .compute_grid = {11, 10},
    .pcie = {19, 24},
    .other_columns = noc_tables::kBlackholeOtherColumns,
    .other_rows = noc_tables::kBlackholeOtherRows,
    .channel_routers = noc_tables::kBlackholeRouters,
    .l1_begin = 0x1B300,
    .zeros = 0x33E0,
    .received = 10,
    .acked = 8,
    .circular_buffers = 64,
    .dram_read_latency = 481 - 35,
    .dram_write_latency = 380 - 23,
    .own_read_latency = 65,
    .own_write_latency = 40,
    .link_in = 617,
    .link_out = 622,
    .bank_read = 463,
    .bank_write = 548,
    .clock = {.flit = 64,
              .hop = 9,
              .out = 20,
              .at_core = 20,
              .at_bank_read = 125,
              .at_bank_write = 40,
              .in = 38,
              .rate = 624,
              .requests = 4,
              .part_write = 0,
              .reserve = 8,
              .reserve_hop = 16,
              .answer_rate = 620},
};

inline constexpr NocRecord kWormholeNoc{
    .buffer_bits = 10,
    .data = 0x24,
    .send = 0x28,
    .node = 0x2C,
    .clear_counts = 0x50,
    .excluded = 0,
    .takes_posted_atomics = true,
    .target_place = 0x04,
    .return_place = 0x10,
    .place_bit = 4,
    .own_place_config = 0x0E,
    .packet_bytes = 8192,
    .dram_read_congruence = 32,
    .grid = {10, 12},
    .worker = {18, 18},
    .columns_before_gap = 8,
    .gap = 0,
    .mirrors_ports = true,
    .banks = noc_tables::kWormholeBanks,
    .channels = noc_tables::kWormholeChannels,
    .bank_bytes = noc_tables::kHalf,
    .dram_alignment = 32,
    .dram_begin = 0x100040,
    .compute_grid = {8, 8},
    .pcie = {0, 3},
    .other_columns = noc_tables::kWormholeOtherColumns,
    .other_rows = noc_tables::kWormholeOtherRows,
    .channel_routers = noc_tables::kWormholeChannels,
    .l1_begin = 0x19720,
    .zeros = 0x3380,
    .received = 4,
    .acked = 3,
    .circular_buffers = 32,
    .dram_read_latency = 397 - 25,
    .dram_write_latency = 425 - 22,
    .own_read_latency = 70,
    .own_write_latency = 40,
    .link_in = 287,
    .link_out = 312,
    .bank_read = 221,
    .bank_write = 228,
    .clock = {.flit = 32,
              .hop = 9,
              .out = 20,
              .at_core = 20,
              .at_bank_read = 123,
              .at_bank_write = 150,
              .in = 33,
              .rate = 312,
              .requests = 4,
              .part_write = 66,
              .reserve = 8,
              .reserve_hop = 16,
              .answer_rate = 287},
};

/// nullptr of a chip of which nothing beyond the coprocessor is here.
constexpr const NocRecord* noc_record(Arch arch) {
  constexpr std::array<const NocRecord*, 3> kRecords{&kBlackholeNoc, &kWormholeNoc, nullptr};
  return kRecords[static_cast<std::size_t>(arch)];
}

} // namespace lanewise
