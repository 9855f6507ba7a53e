#include "run/section/push_call.h"

#include <cstdint>

#include "run/section/section.h"

// Keeps the flags, what a function may change of the registers, and those of vectors; the stack is
// aligned for the call of a function. Behind eleven pushes stand the return address and the word.
asm(R"(
.text
.hidden lanewise_push_call
.globl lanewise_push_call
.type lanewise_push_call, @function
lanewise_push_call:
  pushfq
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq %rbx
  movl 96(%rsp), %edi
  movq 88(%rsp), %rsi
  movq %rbp, %rdx
  movq %rsp, %rbx
  subq $256, %rsp
  andq $-16, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movaps %xmm8, 128(%rsp)
  movaps %xmm9, 144(%rsp)
  movaps %xmm10, 160(%rsp)
  movaps %xmm11, 176(%rsp)
  movaps %xmm12, 192(%rsp)
  movaps %xmm13, 208(%rsp)
  movaps %xmm14, 224(%rsp)
  movaps %xmm15, 240(%rsp)
  cld
  call lanewise_push_word
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  movaps 128(%rsp), %xmm8
  movaps 144(%rsp), %xmm9
  movaps 160(%rsp), %xmm10
  movaps 176(%rsp), %xmm11
  movaps 192(%rsp), %xmm12
  movaps 208(%rsp), %xmm13
  movaps 224(%rsp), %xmm14
  movaps 240(%rsp), %xmm15
  movq %rbx, %rsp
  popq %rbx
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popfq
  ret
.size lanewise_push_call, .-lanewise_push_call
)");

extern "C" {

void lanewise_push_call();

[[gnu::used, gnu::visibility("hidden")]] void lanewise_push_word(std::uint32_t word,
                                                                 std::uint64_t called_from,
                                                                 const void* frame) {
  using lanewise::section::Section;
  using lanewise::section::SectionEvent;
  Section& section = *Section::running();
  SectionEvent event{.kind = SectionEvent::Kind::Store,
                     .address = lanewise::section::kInstructionBuffer,
                     .bytes = sizeof word,
                     .value = word};
  if (section.offer(event)) return;
  event.stack = section.stack_from(called_from - 1, frame, __builtin_frame_address(0));
  section.ask(std::move(event));
}

} // extern "C"

namespace lanewise::section {

PushCall push_call() {
  return lanewise_push_call;
}

} // namespace lanewise::section
