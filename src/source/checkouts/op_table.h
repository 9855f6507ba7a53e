// The operations that a checkout has for a chip, and how each of them is called there.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "source/checkouts/checkout.h"
#include "source/checkouts/declarations.h"
#include "source/checkouts/op.h"

namespace lanewise::checkouts {

/// What a user chooses for an operation.
struct OpChoice {
  std::string dst_width = "false"; ///< whether Dst has 32 bits: a constant expression
  /// Numbers for arguments by their names, and text of C++ for template parameters by theirs.
  std::vector<std::pair<std::string, std::string>> parameters = {};
};

/// How an operation is called: text of C++.
struct OpCall {
  std::string init; ///< empty if there is none
  std::string calculate;
};

class OpTable {
 public:
  /// Reads the headers of the checkout for the chip.
  OpTable(const Checkout& checkout, Arch arch);

  /// The operations of sfpu_ops() that the checkout has, in their order.
  std::vector<const SfpuOp*> ops() const;

  /// Error: BadInput if the checkout does not have the operation, if a parameter has no such name
  /// or value, or if the header asks for one that nothing is known about.
  Expected<OpCall> call(const SfpuOp& op, const OpChoice& choice) const;

  /// The operation as a kernel.
  Expected<sfpi::KernelSource> source(const SfpuOp& op, const OpChoice& choice) const;

 private:
  const Function* find(const SfpuOp& op, std::string_view names) const;

  Checkout checkout_;
  Arch arch_;
  std::map<std::string, std::vector<Function>, std::less<>> functions_; ///< by header
};

/// The operation of a name for the chip. Error: BadInput that names similar ones.
Expected<const SfpuOp*> chosen_op(const OpTable& table, std::string_view name);

} // namespace lanewise::checkouts
