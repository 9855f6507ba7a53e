// A function in Python as what results are held against.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>

#include "number/references/reference.h"

namespace lanewise::python {

/// A callable that takes arrays of float64 (one per operand, of one dimension) and returns one of
/// the same length. Its doubles are rounded as they are, as those of a reference in C++. Threads of
/// a sweep may call it; they take the GIL for it, one after the other. Made and destroyed with the
/// GIL held.
class CallableReference final : public references::Reference {
 public:
  CallableReference(pybind11::object function, std::string name, unsigned operands);

  const std::string& text() const override { return name_; }
  const std::string& identity() const override { return name_; }
  unsigned operands() const override { return operands_; }
  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y,
                          references::ReferenceResults& results) const override;

  /// Throws the first exception that the callable has raised, if there was one. With the GIL held.
  void rethrow() const;

 private:
  Expected<void> call(std::span<const double> x, std::span<const double> y,
                      std::span<double> values) const;

  pybind11::object function_;
  std::string name_;
  unsigned operands_;
  mutable std::unique_ptr<pybind11::error_already_set> raised_; ///< under the GIL
};

} // namespace lanewise::python
