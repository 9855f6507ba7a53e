#include "number/fits/sollya.h"

#include <fmt/format.h>
#include <sollya.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/limits.h"
#include "base/memory_file.h"
#include "base/process.h"
#include "base/shared_library.h"
#include "base/supervisor.h"
#include "number/fits/sollya_text.h"

namespace lanewise::fits {

namespace {

/// The functions of Sollya that are called here, by its names without their prefix. Sollya is
/// loaded with the first polynomial that is looked for.
struct Library {
  Library() {
    const SharedLibrary library({LANEWISE_SOLLYA_SONAME, "libsollya.so.8", "libsollya.so.7"},
                                "libsollya-dev (Debian 12 and 13: libsollya8)");
    library.find(init, "sollya_lib_init");
    library.find(install_msg_callback, "sollya_lib_install_msg_callback");
    library.find(parse_string, "sollya_lib_parse_string");
    library.find(constant_from_int, "sollya_lib_constant_from_int");
    library.find(coeff, "sollya_lib_coeff");
    library.find(get_constant, "sollya_lib_get_constant");
    library.find(get_bounds_from_range, "sollya_lib_get_bounds_from_range");
    library.find(obj_is_error, "sollya_lib_obj_is_error");
    library.find(clear_obj, "sollya_lib_clear_obj");
  }

  decltype(&::sollya_lib_init) init;
  decltype(&::sollya_lib_install_msg_callback) install_msg_callback;
  decltype(&::sollya_lib_parse_string) parse_string;
  decltype(&::sollya_lib_constant_from_int) constant_from_int;
  decltype(&::sollya_lib_coeff) coeff;
  decltype(&::sollya_lib_get_constant) get_constant;
  decltype(&::sollya_lib_get_bounds_from_range) get_bounds_from_range;
  decltype(&::sollya_lib_obj_is_error) obj_is_error;
  decltype(&::sollya_lib_clear_obj) clear_obj;
};

const Library& sollya() {
  static const Library only;
  return only;
}

// --- In the other process

/// An object of Sollya's that goes with its owner.
class SollyaObject {
 public:
  explicit SollyaObject(sollya_obj_t object) : object_(object) {}
  explicit SollyaObject(const std::string& text) : object_(sollya().parse_string(text.c_str())) {}
  SollyaObject(const SollyaObject&) = delete;
  SollyaObject& operator=(const SollyaObject&) = delete;
  ~SollyaObject() { sollya().clear_obj(object_); }

  operator sollya_obj_t() const { return object_; }
  bool is_error() const { return sollya().obj_is_error(object_) != 0; }

 private:
  sollya_obj_t object_;
};

/// Enough for any double.
constexpr mpfr_prec_t kBits = 200;

/// One number of MPFR.
class Number {
 public:
  Number() { mpfr_init2(value_, kBits); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

std::string range_text(const PolynomialTask& task) {
  return fmt::format("[{};{}]", sollya_number(task.low), sollya_number(task.high));
}

std::string list_text(std::span<const unsigned> numbers) {
  return fmt::format("[|{}|]", fmt::join(numbers, ","));
}

std::string polynomial_text(const PolynomialTask& task, std::span<const double> coefficients) {
  std::string sum = "0";
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    sum += fmt::format(" + {} * x ^ {}", sollya_number(coefficients[i]), task.powers[i]);
  return "(" + sum + ")";
}

std::optional<double> number_of(const SollyaObject& object) {
  Number number;
  if (object.is_error() || sollya().get_constant(number, object) == 0) return std::nullopt;
  const double value = mpfr_get_d(number, MPFR_RNDU);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The coefficients, or nothing if Sollya finds no polynomial.
std::optional<std::vector<double>> fitted(const std::string& function, const PolynomialTask& task) {
  const std::vector<unsigned> bits(task.powers.size(), task.bits);
  const SollyaObject polynomial(fmt::format(
      "fpminimax({}, {}, {}, {}, {}, floating)", function, list_text(task.powers), list_text(bits),
      range_text(task), task.error == ErrorKind::Relative ? "relative" : "absolute"));
  if (polynomial.is_error()) return std::nullopt;
  std::vector<double> coefficients;
  coefficients.reserve(task.powers.size());
  for (const unsigned power : task.powers) {
    const SollyaObject at(sollya().constant_from_int(static_cast<int>(power)));
    const auto coefficient = number_of(SollyaObject(sollya().coeff(polynomial, at)));
    if (!coefficient) return std::nullopt;
    coefficients.push_back(*coefficient);
  }
  return coefficients;
}

std::string error_function(const std::string& function, const std::string& polynomial,
                           ErrorKind error) {
  return error == ErrorKind::Relative ? fmt::format("({}) / ({}) - 1", polynomial, function)
                                      : fmt::format("({}) - ({})", polynomial, function);
}

/// An upper bound that Sollya proves, or nothing.
std::optional<double> proved_bound(const std::string& function, const std::string& polynomial,
                                   const PolynomialTask& task) {
  const SollyaObject norm(fmt::format("supnorm({}, {}, {}, {}, 1b-20)", polynomial, function,
                                      range_text(task),
                                      task.error == ErrorKind::Relative ? "relative" : "absolute"));
  Number low, high;
  if (norm.is_error() || sollya().get_bounds_from_range(low, high, norm) == 0) return std::nullopt;
  const double bound = mpfr_get_d(high, MPFR_RNDU);
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

std::optional<double> estimated_bound(const std::string& error, const PolynomialTask& task) {
  return number_of(SollyaObject(fmt::format("dirtyinfnorm({}, {})", error, range_text(task))));
}

/// The error of the best polynomial of all.
double best_error(const std::string& function, const PolynomialTask& task) {
  const bool is_relative = task.error == ErrorKind::Relative;
  const std::string polynomial =
      is_relative
          ? fmt::format("remez(1, {}, {}, 1 / {})", list_text(task.powers), range_text(task),
                        function)
          : fmt::format("remez({}, {}, {})", function, list_text(task.powers), range_text(task));
  const auto error = estimated_bound(error_function(function, polynomial, task.error), task);
  return error.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// The polynomial as words: bound, whether it is proved, best error, coefficients. Empty if there
/// is none.
std::string outcome(const std::string& function, const PolynomialTask& task,
                    const std::function<double(double)>& representable) {
  auto coefficients = fitted(function, task);
  if (!coefficients) return {};
  for (double& coefficient : *coefficients) coefficient = representable(coefficient);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (!task.is_bounded)
    return fmt::format("{:a} 0 {:a} {:a}\n", kUnknown, kUnknown, fmt::join(*coefficients, " "));
  const std::string polynomial = polynomial_text(task, *coefficients);
  const auto proved = proved_bound(function, polynomial, task);
  const auto bound =
      proved ? proved : estimated_bound(error_function(function, polynomial, task.error), task);
  if (!bound) return {};
  return fmt::format("{:a} {} {:a} {:a}\n", *bound, proved ? 1 : 0, best_error(function, task),
                     fmt::join(*coefficients, " "));
}

int swallow_message(sollya_msg_t /*message*/, void* /*data*/) {
  return 0;
}

[[noreturn]] void be_sollya(int file, const std::string& function,
                            std::span<const PolynomialTask> tasks,
                            const std::function<double(double)>& representable) {
  sollya().init();
  sollya().install_msg_callback(swallow_message, nullptr);
  for (const PolynomialTask& task : tasks) {
    const std::string text = outcome(function, task, representable);
    if (text.empty()) break;
    if (!write_all(file, text)) break;
  }
  ::_exit(EXIT_SUCCESS);
}

// --- In this process

std::optional<SollyaPolynomial> parse_line(const std::string& line, std::size_t powers) {
  std::istringstream words(line);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  constexpr std::size_t kBefore = 3;
  if (numbers.size() != kBefore + powers) return std::nullopt;
  return SollyaPolynomial{.coefficients = {numbers.begin() + kBefore, numbers.end()},
                          .bound = numbers[0],
                          .is_proved = numbers[1] != 0,
                          .best = numbers[2]};
}

Unexpected no_polynomial(const PolynomialTask& task) {
  return bad_input(
      fmt::format("Sollya finds no polynomial for x from {} to {}", task.low, task.high),
      task.error == ErrorKind::Relative
          ? "the function must be finite there; where it is 0, use --absolute"
          : "the function must be finite there; try another range or degree");
}

Unexpected end_fault(const ProcessEnd& end) {
  if (end.was_late) {
    return bad_input(fmt::format("Sollya was ended after {} s", kFitSeconds),
                     "try a lower degree or a smaller range");
  }
  return bad_input(fmt::format("Sollya was ended by {}", signal_name(WTERMSIG(end.status))),
                   "try a lower degree or a smaller range");
}

} // namespace

Expected<std::vector<SollyaPolynomial>> fit_polynomials(
    const std::string& function, std::span<const PolynomialTask> tasks,
    const std::function<double(double)>& representable) {
  sollya(); // loaded here, where it can be said that it is not there
  const FileDescriptor file = make_memory_file("lanewise-fit");
  if (!file.is_open()) return bad_input("cannot make a file in memory", "free some memory");
  const ProcessLimits limits{std::chrono::seconds(kFitSeconds), kKernelLimits.memory};
  const auto end = run_supervised(beyond_this_process(limits), {}, [&]() -> int {
    be_sollya(file.number(), function, tasks, representable);
  });
  if (!end) return Unexpected(end.error());
  if (end->was_late || WIFSIGNALED(end->status)) return end_fault(*end);
  std::vector<SollyaPolynomial> result;
  result.reserve(tasks.size());
  std::istringstream lines(contents(file.number()));
  std::string line;
  for (const PolynomialTask& task : tasks) {
    line.clear();
    std::getline(lines, line);
    auto polynomial = parse_line(line, task.powers.size());
    if (!polynomial) return no_polynomial(task);
    result.push_back(std::move(*polynomial));
  }
  return result;
}

} // namespace lanewise::fits
