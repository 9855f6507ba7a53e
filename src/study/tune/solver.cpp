#include "study/tune/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/limits.h"
#include "base/process.h"

namespace lanewise::tune {

namespace {

constexpr std::uint64_t kSolverMemory = std::uint64_t{4} << 30;
constexpr const char* kBits = "(_ BitVec 32)";
/// The functions that stay open: TermKind::MultiplyAdd, and of each word of TermKind::Opaque.
constexpr const char* kMultiplyAdd = "multiply_add";
std::string opaque_name(std::uint32_t word) {
  return fmt::format("word_{:08x}", word);
}

const char* operator_of(TermKind kind) {
  switch (kind) {
    case TermKind::And: return "bvand";
    case TermKind::Or: return "bvor";
    case TermKind::Xor: return "bvxor";
    case TermKind::Not: return "bvnot";
    case TermKind::Add: return "bvadd";
    case TermKind::Subtract: return "bvsub";
    case TermKind::ShiftLeft: return "bvshl";
    case TermKind::ShiftRight: return "bvlshr";
    case TermKind::ShiftRightSigned: return "bvashr";
    case TermKind::Choose: return "ite";
    case TermKind::MultiplyAdd: return kMultiplyAdd;
    case TermKind::Equal: return "=";
    case TermKind::LessSigned: return "bvslt";
    case TermKind::LessUnsigned: return "bvult";
    case TermKind::BothTrue: return "and";
    case TermKind::EitherTrue: return "or";
    case TermKind::NotTrue: return "not";
    case TermKind::Opaque:
    case TermKind::Variable: break;
  }
  return "";
}

/// Nodes under names that follow their order in the question alone, so that equal questions of
/// several rows are equal texts.
class Question {
 public:
  explicit Question(const VariableName& name_of) : name_of_(name_of) {}

  std::string of(TruthTerm condition) {
    const std::vector<const TermNode*> nodes = nodes_of(std::span(&condition.value, 1));
    for (const TermNode* node : nodes) add(*node);
    std::set<std::string> open;
    for (const TermNode* node : nodes) {
      if (node->kind == TermKind::MultiplyAdd) open.insert(kMultiplyAdd);
      if (node->kind == TermKind::Opaque) open.insert(opaque_name(node->variable));
    }
    std::string text = open.empty() ? "(set-logic QF_BV)\n" : "(set-logic QF_UFBV)\n";
    for (const std::string& name : open)
      text += fmt::format("(declare-fun {0} ({1} {1} {1}) {1})\n", name, kBits);
    text += lines_ + fmt::format("(assert {})\n(check-sat)\n", value_text(condition.value, true));
    return variables_.empty() ? text : text + fmt::format("(get-value ({}))\n", variables_);
  }

 private:
  std::string value_text(const TermValue& value, bool truth) const {
    if (!value.is_constant()) return names_.at(value.node);
    if (truth) return value.constant != 0 ? "true" : "false";
    return fmt::format("#x{:08x}", value.constant);
  }

  std::string operands_text(const TermNode& node) const {
    const std::size_t count = node.kind == TermKind::Not || node.kind == TermKind::NotTrue     ? 1
                              : node.kind == TermKind::Choose || node.kind == TermKind::Opaque ? 3
                                                                                               : 2;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      const bool truth = node.kind == TermKind::Choose
                             ? i == 0
                             : node.kind >= TermKind::BothTrue && is_truth(node.kind);
      text += ' ';
      text += value_text(node.operands[i], truth);
    }
    return text;
  }

  /// The factors in one order, whichever of them is the first; a constant is that anyway.
  std::string multiply_add_text(const TermNode& node) const {
    if (node.operands[0].is_constant())
      return fmt::format("({}{} {})", kMultiplyAdd, operands_text(node),
                         value_text(node.operands[2], false));
    const std::string x = value_text(node.operands[0], false),
                      y = value_text(node.operands[1], false);
    return fmt::format("({0} (ite (bvult {1} {2}) {1} {2}) (ite (bvult {1} {2}) {2} {1}) {3})",
                       kMultiplyAdd, x, y, value_text(node.operands[2], false));
  }

  void add(const TermNode& node) {
    if (node.kind == TermKind::Variable) {
      const std::string name = name_of_(node.variable);
      lines_ += fmt::format("(declare-const {} {})\n", name, kBits);
      variables_ += variables_.empty() ? name : " " + name;
      names_[&node] = name;
      return;
    }
    const std::string name = fmt::format("t{}", names_.size());
    const std::string text =
        node.kind == TermKind::MultiplyAdd ? multiply_add_text(node)
        : node.kind == TermKind::Opaque
            ? fmt::format("({}{})", opaque_name(node.variable), operands_text(node))
            : fmt::format("({}{})", operator_of(node.kind), operands_text(node));
    lines_ +=
        fmt::format("(define-fun {} () {} {})\n", name, is_truth(node.kind) ? "Bool" : kBits, text);
    names_[&node] = name;
  }

  const VariableName& name_of_;
  std::unordered_map<const TermNode*, std::string> names_;
  std::string lines_, variables_;
};

/// "((x #x00000001)\n (y #xffffffff))".
std::map<std::string, std::uint32_t> values_of(std::string_view text) {
  std::map<std::string, std::uint32_t> values;
  for (;;) {
    const std::size_t number = text.find(" #x");
    if (number == std::string_view::npos) return values;
    const std::size_t begin = text.rfind('(', number);
    if (begin == std::string_view::npos) return values;
    std::uint32_t bits = 0;
    const std::string_view digits = text.substr(number + 3);
    std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    values.emplace(text.substr(begin + 1, number - begin - 1), bits);
    text = digits;
  }
}

SolverAnswer undecided(std::string why) {
  return {.verdict = SolverVerdict::Undecided, .variables = {}, .why = std::move(why)};
}

} // namespace

std::string question_text(TruthTerm condition, const VariableName& name_of) {
  return Question(name_of).of(condition);
}

std::string solver_version() {
  constexpr ProcessLimits kSoon{std::chrono::seconds(10), kSolverMemory};
  const auto ran = run_process({kSolver, "--version"}, {}, kSoon);
  return ran && ran->succeeded() ? ran->out.substr(0, ran->out.find('\n')) : std::string();
}

SolverAnswer ask_solver(const std::string& question, std::chrono::milliseconds limit,
                        const std::string& program) {
  const ProcessLimits limits{limit, kSolverMemory};
  const auto ran = run_process({program, "-smt2", "-in"}, question, limits);
  if (!ran) return undecided(fmt::format("{} cannot be run ({})", program, ran.error().message));
  if (ran->was_late)
    return undecided(fmt::format("{} does not decide it within {}", program, time_text(limits)));
  if (ran->signal != 0)
    return undecided(fmt::format("{} was ended by {}", program, signal_name(ran->signal)));
  const std::string_view out = ran->out;
  if (out.starts_with("unsat\n")) return {.verdict = SolverVerdict::Never};
  if (out.starts_with("sat\n"))
    return {.verdict = SolverVerdict::Sometimes, .variables = values_of(out.substr(4)), .why = {}};
  return undecided(
      fmt::format("{} says '{}'", program, out.substr(0, std::min(out.find('\n'), out.size()))));
}

} // namespace lanewise::tune
