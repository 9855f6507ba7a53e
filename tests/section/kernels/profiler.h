// A profiler as that of LLK is seen from outside, for tests: a buffer of 16 words in L1 for each
// core.
#pragma once
#include <cstdint>
namespace llk_profiler {
constexpr std::uint32_t TRISC_ID = COMPILE_FOR_TRISC;
constexpr std::uint32_t BUFFERS_START = 0x40000, BUFFER_LENGTH = 16, BARRIER_START = 0x3FFF4;
using barrier_ptr_t = volatile std::uint32_t (*)[3];
using buffer_ptr_t = std::uint32_t (*)[BUFFER_LENGTH];
extern barrier_ptr_t barrier_ptr;
extern buffer_ptr_t buffer;
extern std::uint32_t write_idx, open_zone_cnt;
inline void reset() {
  barrier_ptr = reinterpret_cast<barrier_ptr_t>(std::uintptr_t{BARRIER_START});
  buffer = reinterpret_cast<buffer_ptr_t>(std::uintptr_t{BUFFERS_START});
  write_idx = 0;
  for (std::uint32_t& word : buffer[COMPILE_FOR_TRISC]) word = 0;
}
inline void sync_threads() {
  (*barrier_ptr)[TRISC_ID] = 1;
  for (const volatile std::uint32_t& each : *barrier_ptr)
    while (each != 1) {
    }
}
inline void write(std::uint32_t kind, std::uint32_t marker) {
  const std::uint32_t low = *reinterpret_cast<volatile std::uint32_t*>(0xFFB121F0);
  const std::uint32_t high = *reinterpret_cast<volatile std::uint32_t*>(0xFFB121F8);
  buffer[COMPILE_FOR_TRISC][write_idx++] = kind << 28 | marker << 12 | high;
  buffer[COMPILE_FOR_TRISC][write_idx++] = low;
}
struct Zone {
  std::uint32_t marker;
  explicit Zone(std::uint32_t number) : marker(number) { write(10, marker); }
  ~Zone() { write(11, marker); }
};
constexpr std::uint32_t number(const char* text) {
  std::uint32_t hash = 2166136261;
  for (; *text != 0; ++text) hash = (hash ^ *text) * 16777619;
  return (hash ^ hash >> 16) & 0xFFFF;
}
} // namespace llk_profiler
#define ZONE_SCOPED(name)                                                                \
  __attribute__((section(".profiler_meta"), used)) static const char lanewise_marker[] = \
      "LLK_PROFILER:a_file.cpp:7:" name;                                                 \
  constexpr std::uint32_t lanewise_number =                                              \
      llk_profiler::number("LLK_PROFILER:a_file.cpp:7:" name);                           \
  const llk_profiler::Zone lanewise_zone(lanewise_number);
