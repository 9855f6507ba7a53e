#include "python/reference.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace lanewise::python {

namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::array_t<double> array_of(std::span<const double> numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

} // namespace

CallableReference::CallableReference(py::object function, std::string name, unsigned operands)
    : function_(std::move(function)), name_(std::move(name)), operands_(operands) {}

void CallableReference::rethrow() const {
  if (!raised_) return;
  const std::unique_ptr<py::error_already_set> raised = std::move(raised_);
  throw py::error_already_set(*raised);
}

Expected<void> CallableReference::evaluate(formats::Format format, std::span<const double> x,
                                           std::span<const double> y,
                                           references::ReferenceResults& results) const {
  results.undecided.clear();
  if (operands_ == 2 && y.empty()) return bad_input("the reference needs a second number");
  if (auto called = call(x, y, results.exact); !called) return called;
  for (std::size_t i = 0; i < x.size(); ++i)
    results.bits[i] = formats::round_to_bits(format, results.exact[i]);
  return {};
}

Expected<void> CallableReference::call(std::span<const double> x, std::span<const double> y,
                                       std::span<double> values) const {
  const py::gil_scoped_acquire acquire;
  if (raised_) return bad_input("the reference raised an exception before");
  try {
    const py::object result =
        operands_ == 2 ? function_(array_of(x), array_of(y)) : function_(array_of(x));
    const auto array = Doubles::ensure(result);
    if (!array) throw py::error_already_set();
    if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != x.size()) {
      return bad_input(fmt::format("the reference {} returned an array of {} numbers for {} inputs",
                                   name_, array.size(), x.size()),
                       "return one number for each input, in an array of one dimension");
    }
    std::copy_n(array.data(), x.size(), values.begin());
    return {};
  } catch (const py::error_already_set& error) {
    raised_ = std::make_unique<py::error_already_set>(error);
    return bad_input("the reference raised an exception");
  }
}

} // namespace lanewise::python
