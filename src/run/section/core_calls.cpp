#include "run/section/core_calls.h"

#include <utility>

namespace lanewise::section {
namespace {

/// What comes of something that the code behind `called_from` wants.
std::uint32_t result_of(SectionEvent event, const void* frame, const void* called_from) {
  Section& section = *Section::running();
  if (const auto answer = section.offer(event)) return *answer;
  event.stack = section.stack_from(reinterpret_cast<std::uint64_t>(called_from) - 1, frame,
                                   __builtin_frame_address(0));
  return section.ask(std::move(event));
}

std::uint32_t load(void* /*self*/, std::uint32_t address, const void* frame) {
  return result_of({.kind = SectionEvent::Kind::Load, .address = address, .bytes = 4}, frame,
                   __builtin_return_address(0));
}

void store(void* /*self*/, std::uint32_t address, std::uint32_t value, const void* frame) {
  result_of({.kind = SectionEvent::Kind::Store, .address = address, .bytes = 4, .value = value},
            frame, __builtin_return_address(0));
}

void yield(void* /*self*/, const void* frame) {
  result_of({.kind = SectionEvent::Kind::Yields}, frame, __builtin_return_address(0));
}

void print(void* /*self*/, const char* text, const void* frame) {
  result_of({.kind = SectionEvent::Kind::Prints, .message = text}, frame,
            __builtin_return_address(0));
}

lanewise_core_calls calls{
    .self = nullptr, .load = load, .store = store, .yield = yield, .print = print};

} // namespace

lanewise_core_calls* core_calls() {
  return &calls;
}

} // namespace lanewise::section
