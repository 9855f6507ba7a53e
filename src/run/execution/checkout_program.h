// Programs with a checkout of tt-metal or tt-llk: its operations, and kernels that use its headers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "number/formats/format.h"
#include "run/execution/load_program.h"
#include "source/checkouts/op.h"

namespace lanewise::execution {

/// The formats of an operation's tiles, the usual one first. tt-metal keeps integers in Dst as
/// two's complement, whose bits uint32 shows; int32 is sign and magnitude.
std::vector<formats::Format> op_formats(const checkouts::SfpuOp& op);

/// The format of its result, where it is another one.
std::optional<formats::Format> op_result_format(const checkouts::SfpuOp& op);

/// Puts the operation's formats where none is chosen: for "bf16", and for an empty result's (null:
/// there is no such choice).
void choose_formats(const checkouts::SfpuOp& op, std::string& format, std::string* result_format);

/// A checkout, and the operation of it that is the program.
struct CheckoutChoice {
  std::string folder; ///< of the checkout; empty: there is none
  std::string op;     ///< empty: the program is a file of the user's
  std::vector<std::pair<std::string, std::string>> parameters = {}; ///< of the operation
  bool fp32_dst = false;                                            ///< whether Dst has 32 bits
};

/// Adds to a kernel what the checkout, if there is one, is compiled with; of an operation, also its
/// file and its call. `file` gets the new name. Error: BadInput as Checkout::open() and
/// OpTable::call() have it.
Expected<void> add_checkout(ProgramFile& file, const CheckoutChoice& choice, Arch arch);

} // namespace lanewise::execution
