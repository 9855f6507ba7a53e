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

void access(void* /*self*/, std::uint32_t address, std::uint32_t bytes, std::uint32_t how,
            const void* code, const void* frame) {
  Section& section = *Section::running();
  Listener* const listener = section.listener();
  if (listener == nullptr) return;
  const CallPlace place{reinterpret_cast<std::uint64_t>(code) - 1, frame};
  const bool yields = listener->access({.address = address,
                                        .bytes = bytes,
                                        .changes = (how & kLanewiseChanges) != 0,
                                        .is_volatile = (how & kLanewiseVolatile) != 0},
                                       place);
  if (!yields) return;
  section.ask({.kind = SectionEvent::Kind::Yields,
               .stack = section.stack_from(place.code, frame, __builtin_frame_address(0))});
}

void intend(void* /*self*/, std::uint32_t what, std::uint32_t which, std::uint32_t number,
            const void* frame) {
  Listener* const listener = Section::running()->listener();
  if (listener == nullptr) return;
  listener->intend({.what = static_cast<lanewise_intent>(what), .which = which, .number = number},
                   {reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1, frame});
}

void print(void* /*self*/, const char* text, const void* frame) {
  result_of({.kind = SectionEvent::Kind::Prints, .message = text}, frame,
            __builtin_return_address(0));
}

lanewise_core_calls calls{.self = nullptr,
                          .load = load,
                          .store = store,
                          .yield = yield,
                          .access = access,
                          .intend = intend,
                          .print = print};

} // namespace

lanewise_core_calls* core_calls() {
  return &calls;
}

} // namespace lanewise::section
