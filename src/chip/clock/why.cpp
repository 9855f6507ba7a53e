#include "chip/clock/why.h"

#include <array>

namespace lanewise::clock {

namespace {

struct Words {
  std::string_view name, text;
};

constexpr std::array<Words, kWhys> kWords{{
    {"nothing", "nothing"},
    {"push", "its core to push"},
    {"front-end", "the expanders"},
    {"issue", "the instruction before it to issue"},
    {"unit", "a unit that is taken"},
    {"banks", "a bank of SrcA or SrcB"},
    {"dst-rows", "rows of Dst that are still written"},
    {"vector", "a result of the Vector Unit"},
    {"queue", "room in an unpacker or a packer"},
    {"semaphore", "a semaphore"},
    {"units-idle", "units to be idle (STALLWAIT)"},
    {"banks-asked", "a bank of SrcA or SrcB (STALLWAIT)"},
    {"others", "a mutex or a word of L1"},
}};

} // namespace

std::string_view why_text(Why why) {
  return kWords[static_cast<unsigned>(why)].text;
}
std::string_view why_name(Why why) {
  return kWords[static_cast<unsigned>(why)].name;
}

} // namespace lanewise::clock
