#include "cli/tune_front.h"

#include <memory>

#include "cli/output.h"
#include "number/formats/format.h"
#include "number/references/reference.h"
#include "report/tune/front.h"
#include "study/tune/front.h"

namespace lanewise::cli {

Option add_front_options(const Command& command, FrontCommand& front) {
  constexpr const char* kGroup = "Within a budget";
  const Option max_ulp =
      command
          .option(
              "--max-ulp", front.max_ulp,
              "Also programs that compute nearly the same, no result further than so many ULP from "
              "--ref, or without it from the plain kernel's: a front of error against cycles")
          .group(kGroup);
  command.option("--svg", front.svg, "Write the front as a picture").value("FILE").group(kGroup);
  return max_ulp;
}

Expected<void> check_front(const FrontCommand& front, const tune::ProofOptions& proof, bool table,
                           std::size_t programs) {
  if (!front.max_ulp) {
    if (front.svg.empty()) return {};
    return bad_input("--svg shows a front, which --max-ulp asks for", "add it, or leave --svg out");
  }
  if (!(*front.max_ulp >= 0))
    return bad_input("no error is below 0 ULP", "give --max-ulp a number that is not negative");
  if (proof.operands != 1)
    return bad_input("--max-ulp has one operand: two have too many pairs to measure each candidate",
                     "leave --operands 2 or --max-ulp out");
  if (formats::is_32bit(proof.format))
    return bad_input(
        "--max-ulp measures each candidate over all inputs, of which 32 bits have 2^32",
        "give --format bf16, fp16 or another format of 16 bits");
  if (proof.allow_nan || proof.allow_denormal)
    return bad_input("--allow is for programs that are equal, and --max-ulp for others",
                     "leave one of both out");
  if (table) return bad_input("--table has no fronts", "leave --table or --max-ulp out");
  if (programs > 1 && (front.json || !front.svg.empty()))
    return bad_input("--svg and --json show the front of one program",
                     "give one kernel, and one chip with --arch");
  return check_can_write(front.svg);
}

Expected<FrontOutput> tuned_front(const LoadedProgram& loaded, const FrontCommand& front,
                                  const tune::TuneOptions& options, const std::string& reference) {
  std::unique_ptr<references::Reference> function;
  if (!reference.empty()) {
    auto parsed = references::parse_reference(reference);
    if (!parsed) return Unexpected(parsed.error());
    function = std::move(*parsed);
  }
  auto found = tune::tune_within(
      {loaded.arch, loaded.program, loaded.as_kernel()},
      {.tune = options, .max_ulp = front.max_ulp.value_or(0), .reference = function.get()});
  if (!found) return Unexpected(found.error());
  const report::FrontReport shown{.name = loaded.program.name,
                                  .reference = reference,
                                  .max_ulp = front.max_ulp.value_or(0),
                                  .format = options.proof.format,
                                  .front = std::move(*found)};
  if (!front.svg.empty()) {
    if (auto done = write_text_file(front.svg, report::front_svg(shown)); !done)
      return Unexpected(done.error());
  }
  FrontOutput output{
      .report = front.json ? report::front_json(shown).dump(2) + "\n" : report::front_text(shown),
      .code = {}};
  if (!shown.front.points.empty()) output.code = shown.front.points.back().text;
  return output;
}

} // namespace lanewise::cli
