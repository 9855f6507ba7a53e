#include "source/sfpi/recorder.h"

#include <cstring>
#include <exception>
#include <span>

namespace lanewise::sfpi {
namespace {

Recorder& recorder_of(void* self) {
  return *static_cast<Recorder*>(self);
}

} // namespace

Recorder::Recorder(Arch arch, std::string name) : builder_(arch, std::move(name)) {
  stack_.reserve(kDeepestStack);
  abi_ = {
      .version = LANEWISE_RECORDER_VERSION,
      .arch = static_cast<std::uint32_t>(arch),
      .self = this,
      .node = [](void* self, const lanewise_node* node, const void* frame) -> std::uint32_t {
        const std::uint32_t number =
            recorder_of(self).node(node, frame, __builtin_return_address(0));
        recorder_of(self).leave_if_failed();
        return number;
      },
      .assign = [](void* self, std::uint32_t old_value, std::uint32_t value, std::uint32_t declared,
                   const void* frame) -> std::uint32_t {
        const std::uint32_t number = recorder_of(self).assign(old_value, value, declared, frame,
                                                              __builtin_return_address(0));
        recorder_of(self).leave_if_failed();
        return number;
      },
      .context = [](void* self) -> std::uint32_t { return recorder_of(self).builder_.context(); },
      .text = [](void* self, const char* text) -> std::uint32_t {
        const std::uint32_t number = recorder_of(self).text(text);
        recorder_of(self).leave_if_failed();
        return number;
      },
      .fail =
          [](void* self, const char* message, const char* remedy, const void* frame) {
            recorder_of(self).walk(frame, __builtin_return_address(0));
            recorder_of(self).fail(
                {message == nullptr ? "" : message, remedy == nullptr ? "" : remedy});
            recorder_of(self).leave_if_failed();
          },
  };
}

void Recorder::run(const std::function<void()>& kernel) {
  outermost_ = __builtin_frame_address(0);
  if (setjmp(escape_) == 0) {
    try {
      kernel();
      if (const auto closed = builder_.finish(); !closed) fail(closed.error());
    } catch (const std::exception& exception) {
      fail({std::string("the kernel threw an exception after this: ") + exception.what(),
            "catch it in the kernel"});
    } catch (...) {
      fail({"the kernel threw an exception after this", "catch it in the kernel"});
    }
  }
  outermost_ = nullptr;
}

std::uint32_t Recorder::node(const lanewise_node* node, const void* frame,
                             const void* called_from) {
  if (failure_) return kLanewiseNone;
  walk(frame, called_from);
  return accept(builder_.append(*node, stacks_.number_of(stack_)));
}

std::uint32_t Recorder::assign(std::uint32_t old_value, std::uint32_t value, std::uint32_t declared,
                               const void* frame, const void* called_from) {
  if (failure_) return kLanewiseNone;
  walk(frame, called_from);
  return accept(builder_.assign(old_value, value, declared, stacks_.number_of(stack_)));
}

std::uint32_t Recorder::text(const char* text) {
  if (failure_) return kLanewiseNone;
  const std::size_t length = text == nullptr ? 0 : strnlen(text, kLongestText + 1);
  return accept(builder_.text({text, length}));
}

std::uint32_t Recorder::accept(const tl::expected<compiler::Value, Mistake>& result) {
  if (result) return *result;
  fail(result.error());
  return kLanewiseNone;
}

void Recorder::walk(const void* frame, const void* called_from) {
  stack_.clear();
  if (outermost_ == nullptr) return;
  stack_.resize(kDeepestStack);
  stack_[0] = reinterpret_cast<std::uint64_t>(called_from) - 1;
  const std::size_t callers =
      follow_frames(frame, __builtin_frame_address(0), outermost_, std::span(stack_).subspan(1));
  stack_.resize(1 + callers);
}

void Recorder::fail(Mistake mistake) {
  if (!failure_) failure_ = Failure{std::move(mistake), stacks_.number_of(stack_)};
}

void Recorder::leave_if_failed() {
  if (failure_ && outermost_ != nullptr) std::longjmp(escape_, 1);
}

RawRecording Recorder::take() {
  return {builder_.take(), stacks_.take(), std::move(failure_)};
}

} // namespace lanewise::sfpi
