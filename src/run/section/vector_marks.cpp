#include "run/section/vector_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "chip/isa/encoding.h"
#include "chip/riscv/instruction.h"
#include "source/sfpi/include/lanewise_marks.h"

namespace lanewise::section {
namespace {

Unexpected other_way(std::string message) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = std::move(message),
                          .remedy = "look for what differs between 32 and 64 bits, or depends on "
                                    "the order of the threads; without --cores rv32, the test "
                                    "runs on the host alone"});
}

bool is_mark(std::uint32_t word) {
  return word == kLanewiseVectorMark || word == kLanewiseVectorOpening;
}

} // namespace

bool is_seen_by_others(Arch arch, std::uint32_t word) {
  const isa::Row* const row = isa::decode(arch, word).row;
  return row != nullptr && row->unit == isa::Unit::Sync;
}

bool has_marks(const elf::Image& program) {
  return std::ranges::any_of(program.segments, [](const elf::Segment& segment) {
    for (std::size_t at = 0; at + sizeof(std::uint32_t) <= segment.bytes.size();
         at += sizeof(std::uint32_t)) {
      std::uint32_t code = 0;
      std::memcpy(&code, segment.bytes.data() + at, sizeof code);
      if (is_mark(riscv::tensix_word(code))) return true;
    }
    return false;
  });
}

void StretchLog::add(std::vector<std::uint32_t> words) {
  const auto number = static_cast<std::uint32_t>(stretches_.texts.size());
  const auto [known, is_new] = known_.try_emplace(words, number);
  if (is_new) stretches_.texts.push_back(std::move(words));
  stretches_.order.push_back(known->second);
}

const std::vector<std::uint32_t>& VectorMarks::words() const {
  return stretches_.texts[stretches_.order[counted_.size()]];
}

Expected<void> VectorMarks::open() {
  if (is_open_) return {};
  if (counted_.size() == stretches_.order.size()) {
    return other_way(
        fmt::format("the core comes to more than the {} stretches of SFPI code that "
                    "its section has on the host",
                    stretches_.order.size()));
  }
  is_open_ = true;
  at_ = 0;
  return {};
}

Expected<std::vector<std::uint32_t>> VectorMarks::place() {
  const std::uint64_t at = at_++;
  if (places_.empty()) return std::vector<std::uint32_t>();
  const std::uint64_t places = counted_.size() < places_.size() ? places_[counted_.size()] : 0;
  if (at >= places) {
    return other_way(
        fmt::format("stretch {} of SFPI code has more than the {} places that it had "
                    "in the run before",
                    counted_.size() + 1, places));
  }
  const auto& all = words();
  const auto end_of = [&](std::uint64_t count) {
    return all.begin() + static_cast<std::ptrdiff_t>(count * all.size() / places);
  };
  return std::vector<std::uint32_t>(end_of(at), end_of(at + 1));
}

Expected<std::vector<std::uint32_t>> VectorMarks::close() {
  if (!is_open_) return std::vector<std::uint32_t>();
  is_open_ = false;
  const bool comes_now = places_.empty() || at_ == 0;
  const std::uint32_t places = places_.empty() ? at_ : places_[counted_.size()];
  if (at_ != places) {
    return other_way(fmt::format("stretch {} of SFPI code has {} places, and {} in the run before",
                                 counted_.size() + 1, at_, places));
  }
  std::vector<std::uint32_t> rest;
  if (comes_now) rest = words();
  counted_.push_back(at_);
  return rest;
}

Expected<std::vector<std::uint32_t>> VectorMarks::pushed(std::uint32_t word) {
  if (is_mark(word)) {
    if (auto opened = open(); !opened) return Unexpected(opened.error());
    return word == kLanewiseVectorMark ? place() : std::vector<std::uint32_t>();
  }
  if (!is_open_) return std::vector{word};
  if (!is_seen_by_others(arch_, word)) return place();
  auto words = close();
  if (words) words->push_back(word);
  return words;
}

Expected<std::vector<std::uint32_t>> VectorMarks::seen() {
  return close();
}

Expected<void> VectorMarks::ended() const {
  if (counted_.size() == stretches_.order.size()) return {};
  return other_way(
      fmt::format("the core comes to {} stretches of SFPI code, and its section on the host to {}",
                  counted_.size(), stretches_.order.size()));
}

} // namespace lanewise::section
