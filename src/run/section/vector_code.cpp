#include "run/section/vector_code.h"

#include <utility>

#include "source/compiler/compiler.h"

namespace lanewise::section {
namespace {

VectorCode& vector_code_of(void* self) {
  return *static_cast<VectorCode*>(self);
}

std::vector<std::uint32_t> words_of(const Program& program) {
  std::vector<std::uint32_t> words;
  for (const ProgramWord& each : program.words) words.push_back(each.word);
  return words;
}

/// What the vendor's compiler would leave, as for every kernel that LLK calls: its order decides
/// about cycles. REPLAY is left to the section, which knows what it keeps in the buffer.
compiler::Options section_options() {
  compiler::Options options;
  options.compiled = compiler::CompiledAs::Shipped;
  options.replay = false;
  options.warn = false;
  return options;
}

} // namespace

VectorCode::VectorCode(Arch arch, int epoch, SectionPlaces& places,
                       const sfpi::KernelObject& object)
    : arch_(arch), epoch_(epoch), places_(places), object_(object) {
  abi_ = {
      .version = LANEWISE_RECORDER_VERSION,
      .arch = static_cast<std::uint32_t>(arch),
      .self = this,
      .node = [](void* self, const lanewise_node* node, const void* frame) -> std::uint32_t {
        VectorCode& code = vector_code_of(self);
        return code.node(*node, code.line_at(frame, __builtin_return_address(0)));
      },
      .assign = [](void* self, std::uint32_t old_value, std::uint32_t value, std::uint32_t declared,
                   const void* frame) -> std::uint32_t {
        VectorCode& code = vector_code_of(self);
        return code.assign(old_value, value, declared,
                           code.line_at(frame, __builtin_return_address(0)));
      },
      .context = [](void* self) -> std::uint32_t {
        const VectorCode& code = vector_code_of(self);
        return code.first_context_ + (code.builder_ ? code.builder_->context() : 0);
      },
      .text = [](void*, const char*) -> std::uint32_t { return 0; },
      .fail =
          [](void* self, const char* message, const char* remedy, const void* frame) {
            VectorCode& code = vector_code_of(self);
            code.fail(message, remedy, code.line_at(frame, __builtin_return_address(0)));
          },
  };
}

bool VectorCode::takes(const SectionEvent& event) {
  if (!builder_) return false;
  // L1 has nothing to do with what is recorded; mostly, nobody sees such an access.
  if (event.address < kRegisters &&
      (event.kind == SectionEvent::Kind::Load || event.kind == SectionEvent::Kind::Store))
    return false;
  const bool is_word =
      event.kind == SectionEvent::Kind::Store && event.address == kInstructionBuffer;
  if (is_word && take_word(event.value, false, places_.line_of(object_, event.stack))) return true;
  flush();
  return false;
}

bool VectorCode::take_word(std::uint32_t word, bool is_own, std::uint32_t line) {
  if (is_seen_by_others(arch_, word)) return false;
  lanewise_node node;
  node.kind = LanewiseKind::Raw;
  node.mod = is_own ? 1 : 0;
  node.imm = static_cast<std::int32_t>(word);
  accept(open().append(node, site_of(line)), line);
  return true;
}

std::uint32_t VectorCode::node(lanewise_node node, std::uint32_t line) {
  if (node.kind == LanewiseKind::Print) return kLanewiseNone;
  if (node.kind == LanewiseKind::Raw) {
    const auto word = static_cast<std::uint32_t>(node.imm);
    if (builder_ && take_word(word, node.mod == 1, line)) return kLanewiseNone;
    flush();
    push(word, line);
    return kLanewiseNone;
  }
  sfpi::RecordingBuilder& builder = open();
  for (std::uint32_t& operand : node.operand) operand = number_here(operand, line);
  return accept(builder.append(node, site_of(line)), line);
}

std::uint32_t VectorCode::assign(std::uint32_t old_value, std::uint32_t value,
                                 std::uint32_t declared, std::uint32_t line) {
  sfpi::RecordingBuilder& builder = open();
  // A variable of an earlier recording was declared outside of all predicates of this one.
  const std::uint32_t context = declared < first_context_ ? 0 : declared - first_context_;
  const bool has_old = old_value != kLanewiseNone && old_value >= first_value_;
  return accept(builder.assign(has_old ? old_value - first_value_ : kLanewiseNone,
                               number_here(value, line), context, site_of(line)),
                line);
}

void VectorCode::flush() {
  if (!builder_) return;
  sfpi::RecordingBuilder builder = std::move(*builder_);
  builder_.reset();
  const std::uint32_t line = lines_.back();
  if (const auto finished = builder.finish(); !finished) {
    return fail("within a v_if or v_block, the section does what others can see", "end it before",
                line);
  }
  compiler::Recording recording = builder.take();
  recording.epoch = epoch_;
  first_value_ += static_cast<std::uint32_t>(recording.nodes.size());
  first_context_ += static_cast<std::uint32_t>(recording.contexts.size());
  recording.sites.assign(lines_.size(), {});
  for (std::size_t i = 0; i < lines_.size(); ++i) recording.sites[i].line = lines_[i];
  const compiler::Compiled compiled = compiler::compile(recording, section_options());
  if (!compiled.ok) {
    for (const Fault& fault : compiled.diagnostics) {
      if (fault.kind == FaultKind::BadInput) return fail(fault.message, fault.remedy, line);
    }
  }
  const std::vector<std::uint32_t> lines = std::move(lines_);
  lines_.clear();
  sites_.clear();
  if (log_ != nullptr) log_->add(words_of(compiled.program));
  for (std::size_t i = 0; i < compiled.program.words.size(); ++i)
    push(compiled.program.words[i].word, lines[compiled.sites[i]]);
}

void VectorCode::push(std::uint32_t word, std::uint32_t line) {
  Section::running()->ask({.kind = SectionEvent::Kind::Store,
                           .address = kInstructionBuffer,
                           .bytes = sizeof word,
                           .value = word,
                           .line = line});
}

sfpi::RecordingBuilder& VectorCode::open() {
  if (!builder_) {
    builder_.emplace(arch_, "");
    lines_ = {0};
    sites_ = {{0, 0}};
  }
  return *builder_;
}

std::uint32_t VectorCode::number_here(std::uint32_t value, std::uint32_t line) {
  if (value == kLanewiseNone) return value;
  if (value >= first_value_) return value - first_value_;
  fail(
      "a vector is used that was made before something that others can see: a wait, a semaphore "
      "or a register",
      "keep it in dst_reg or l_reg meanwhile", line);
  return kLanewiseNone;
}

std::uint32_t VectorCode::accept(const tl::expected<compiler::Value, sfpi::Mistake>& result,
                                 std::uint32_t line) {
  if (result) return *result == kLanewiseNone ? kLanewiseNone : first_value_ + *result;
  fail(result.error().message, result.error().remedy, line);
  return kLanewiseNone;
}

void VectorCode::fail(std::string message, std::string remedy, std::uint32_t line) {
  Section::running()->ask({.kind = SectionEvent::Kind::Failed,
                           .message = std::move(message),
                           .remedy = std::move(remedy),
                           .line = line});
}

std::uint32_t VectorCode::line_at(const void* frame, const void* called_from) const {
  const auto address = reinterpret_cast<std::uint64_t>(called_from) - 1;
  return places_.line_of(
      object_, Section::running()->stack_from(address, frame, __builtin_frame_address(0)));
}

std::uint32_t VectorCode::site_of(std::uint32_t line) {
  const auto [place, is_new] = sites_.try_emplace(line, static_cast<std::uint32_t>(lines_.size()));
  if (is_new) lines_.push_back(line);
  return place->second;
}

} // namespace lanewise::section
