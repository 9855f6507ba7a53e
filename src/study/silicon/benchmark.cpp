#include "study/silicon/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <sstream>

#include "base/cache.h"
#include "study/silicon/table_kernels.h"

namespace lanewise::silicon {

namespace {

/// What a benchmark knows of a format: how many bytes a tile has in L1.
struct FormatRow {
  std::string_view name;
  std::uint32_t tile_bytes;
};
constexpr std::array kFormatRows{FormatRow{"Bfp8_b", 1088}, FormatRow{"Float16_b", 2048},
                                 FormatRow{"Float32", 4096}, FormatRow{"Int32", 4096}};

std::uint32_t tile_bytes(std::string_view format) {
  const auto found = std::ranges::find(kFormatRows, format, &FormatRow::name);
  return found == kFormatRows.end() ? 0 : found->tile_bytes;
}

/// Where LLK's performance tests have their tiles: behind each other from here on.
constexpr std::uint32_t kFirstTile = 0x21000;
constexpr std::uint32_t kFaces = 4;
/// Of faces, and within them: two flags, known when the benchmark runs.
constexpr std::uint32_t kNotTransposed = 0;

/// The format in SrcA, SrcB or Dst: 32 bits are shortened on their way to a source.
std::string_view unpacked_format(const ClockCase& each) {
  if (each.input != "Float32" || each.to_dest) return each.input;
  return each.wide ? "Tf32" : "Float16_b";
}

std::string formats_text(const ClockCase& each) {
  const std::string_view unpacked = unpacked_format(each);
  const std::string_view packed = each.wide ? std::string_view(each.output) : unpacked;
  const auto number = [](std::string_view format) {
    return fmt::format("static_cast<std::uint32_t>(DataFormat::{})", format);
  };
  return fmt::format(
      "struct FormatConfig {{\n  std::uint32_t unpack_A_src, unpack_B_src, unpack_A_dst, "
      "unpack_B_dst, math, pack_src, pack_dst;\n}};\n"
      "constexpr FormatConfig formats{{{0}, {0}, {1}, {1}, {1}, {2}, {3}}};\n",
      number(each.input), number(unpacked), number(packed), number(each.output));
}

/// The parameters at run time, as words in the order of their structure.
constexpr std::string_view kParameterStruct =
    "struct RuntimeParams {\n"
    "  std::uint32_t TILE_SIZE_PACK, TILE_SIZE_UNPACK_A, TILE_SIZE_UNPACK_B;\n"
    "  Operand buffer_A, buffer_B, buffer_Res;\n"
    "  std::uint32_t TILE_CNT, LOOP_FACTOR, num_faces;\n"
    "  bool UNPACK_TRANSPOSE_FACES, UNPACK_TRANSPOSE_WITHIN_FACE;\n};\n";

std::array<std::uint32_t, 13> parameter_words(const ClockCase& each) {
  constexpr std::uint32_t kUnitOfSize = 16;
  const std::uint32_t in = tile_bytes(each.input), out = tile_bytes(each.output);
  const std::uint32_t second = kFirstTile + kTilesOfLoop * in;
  return {out / kUnitOfSize,
          in / kUnitOfSize,
          in / kUnitOfSize,
          kFirstTile,
          in,
          second,
          in,
          second + kTilesOfLoop * in,
          out,
          kTilesOfLoop,
          kLoops,
          kFaces,
          kNotTransposed};
}

const std::string* choice(const ClockCase& each, std::string_view name) {
  const auto found = std::ranges::find(each.choices, name, &Options::value_type::first);
  return found == each.choices.end() ? nullptr : &found->second;
}

bool is_chosen(const ClockCase& each, std::string_view name) {
  const std::string* const value = choice(each, name);
  return value != nullptr && *value == "true";
}

/// The approximate exponential with clamping goes over all faces, the other unary operations over
/// one.
bool has_all_faces(const ClockCase& each) {
  return each.benchmark == Benchmark::Binary ||
         (is_chosen(each, "APPROX_MODE") && is_chosen(each, "CLAMP_NEGATIVE"));
}

checkouts::OpChoice op_choice(const ClockCase& each) {
  checkouts::OpChoice choice{.dst_width = each.wide ? "true" : "false"};
  std::istringstream words{std::string(each.vector->parameters)};
  for (std::string word; words >> word;) {
    const std::size_t sign = word.find('=');
    choice.parameters.emplace_back(word.substr(0, sign), word.substr(sign + 1));
  }
  // Only the exponential has a choice, in tables as in LLK.
  if (each.vector->op == "exp") {
    choice.parameters.emplace_back("APPROXIMATION_MODE",
                                   is_chosen(each, "APPROX_MODE") ? "true" : "false");
    choice.parameters.emplace_back("CLAMP_NEGATIVE",
                                   is_chosen(each, "CLAMP_NEGATIVE") ? "true" : "false");
  }
  return choice;
}

Expected<KernelCalls> kernel_calls(const ClockCase& each, const BenchTree& tree) {
  if (auto kernel = test_kernel(each, tree)) return *kernel;
  const checkouts::SfpuOp* const op = checkouts::find_op(each.vector->op);
  if (op == nullptr) {
    return Unexpected(Fault{
        .kind = FaultKind::Unsupported,
        .message = fmt::format("how {} is called in a checkout is not known", each.vector->tile),
        .remedy = "source/checkouts names the operations that are"});
  }
  auto call = tree.operations.call(*op, op_choice(each));
  if (!call) {
    call.error().kind = FaultKind::Unsupported;
    return Unexpected(call.error());
  }
  return KernelCalls{tree.checkout.header(tree.arch, op->header).string(), call->init,
                     call->calculate};
}

/// The call of the Vector Unit; of two tiles, the function that takes their numbers.
Expected<std::string> vector_text(const ClockCase& each, const BenchTree& tree) {
  if (auto why = changed_since(each, tree)) {
    return Unexpected(
        Fault{.kind = FaultKind::Unsupported, .message = std::move(*why), .remedy = {}});
  }
  auto kernel = kernel_calls(each, tree);
  if (!kernel) return Unexpected(kernel.error());
  std::string calculate = kernel->calculate;
  if (each.benchmark == Benchmark::Binary) calculate.resize(calculate.rfind('('));
  return fmt::format(
      "#define BENCH_HEADER \"{}\"\n#define BENCH_TYPE SfpuType::{}\n"
      "#define BENCH_INIT {}\n#define BENCH_CALL {}\n#define BENCH_MODE VectorMode::{}\n"
      "constexpr bool BENCH_COPY_ONLY = {};\n"
      "enum class init_form {{ Common, WithSteps, Apart, ApartWithSteps, ApartWithAll }};\n"
      "constexpr init_form BENCH_INIT_FORM = init_form::{};\n",
      std::filesystem::absolute(kernel->header).string(), each.vector->type,
      kernel->init.empty() ? "static_cast<void>(0)" : kernel->init, calculate,
      has_all_faces(each) ? "RC" : "None", each.copy_only, init_form_name(init_of(*each.vector)));
}

/// What of a case reaches a thread; the rest is the same for all.
ClockCase part_of(const ClockCase& each, Engine thread) {
  ClockCase part = each;
  if (thread != each.engine) {
    part.init = InitPart::Whole;
    part.init_left = false;
  }
  if (thread != Engine::Pack) part.output = each.input;
  if (thread == Engine::Math) return part;
  part.vector = nullptr;
  part.copy_only = false;
  if (each.benchmark != Benchmark::Reduce) part.choices.clear();
  std::erase_if(part.choices, [](const auto& choice) { return choice.first == "MATH_FIDELITY"; });
  return part;
}

constexpr std::array<std::string_view, 5> kMacros{"BENCH_ELEMENTS", "BENCH_COPY", "BENCH_REDUCE",
                                                  "BENCH_UNARY", "BENCH_BINARY"};
constexpr std::array<std::string_view, kEngines> kRunTypes{"UNPACK_ISOLATE", "MATH_ISOLATE",
                                                           "PACK_ISOLATE"};

} // namespace

BenchTree::BenchTree(const checkouts::Checkout& tree, Arch chip)
    : checkout(tree), operations(tree, chip), arch(chip) {
  if (tree.sfpi_release().value_or(0) < kTableRelease) checkout.choose_sfpi_release(kTableRelease);
}

Expected<std::string> bench_header(const ClockCase& whole, const BenchTree& tree, Engine thread) {
  const ClockCase each = part_of(whole, thread);
  std::string text =
      "#pragma once\n#include <array>\n#include <bit>\n#include <cstdint>\n#include "
      "<type_traits>\n"
      "#include \"operand.h\"\n#include \"llk_defs.h\"\n#include \"llk_sfpu_types.h\"\n"
      "#include \"perf.h\"\n#include \"tensix_types.h\"\n"
      "#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams&\n";
  text += fmt::format("#define {}\n", kMacros[static_cast<std::size_t>(each.benchmark)]);
  text += fmt::format(
      "enum class bench_part {{ Whole, Common, Own }};\n"
      "constexpr bench_part BENCH_ZONE = bench_part::{};\n"
      "constexpr bool BENCH_INIT_LEFT = {};\n"
      "constexpr bool l1_acc_en = false;\nconstexpr bool unpack_to_dest = {};\n"
      "constexpr bool is_fp32_dest_acc_en = {};\n"
      "constexpr bool DST_ACCUM_MODE = is_fp32_dest_acc_en;\n"
      "constexpr auto PERF_RUN_TYPE = PerfRunType::{};\n",
      init_part_name(each.init), each.init_left, each.to_dest, each.wide,
      kRunTypes[static_cast<std::size_t>(each.engine)]);
  for (const auto& [name, value] : each.choices)
    text += fmt::format("constexpr auto {} = {};\n", name, value);
  text += formats_text(each);
  if (each.vector != nullptr) {
    auto vector = vector_text(each, tree);
    if (!vector) return vector;
    text += *vector;
  }
  return text + std::string(kParameterStruct);
}

Expected<BenchTest> bench_test(const ClockCase& each, const BenchTree& tree) {
  const auto text = file_in_cache("clock", "benchmark.cpp", benchmark_text());
  if (!text) return Unexpected(text.error());
  BenchTest test;
  test.source.arch = tree.arch;
  test.source.file = (*text / "benchmark.cpp").string();
  test.source.checkout = tree.checkout;
  for (unsigned thread = 0; thread < kEngines; ++thread) {
    const auto header = bench_header(each, tree, static_cast<Engine>(thread));
    if (!header) return Unexpected(header.error());
    const auto build = file_in_cache("clock", "build.h", *header);
    if (!build) return Unexpected(build.error());
    test.source.section_headers[thread] = (*build / "build.h").string();
  }
  test.source.defines = {"LLK_PROFILER", "TEST_KERNEL"};
  std::vector<std::byte> bytes;
  for (const std::uint32_t word : parameter_words(each)) {
    for (unsigned byte = 0; byte < sizeof word; ++byte)
      bytes.push_back(static_cast<std::byte>(word >> (8 * byte)));
  }
  test.inputs.push_back({section::kParametersAddress, std::move(bytes)});
  return test;
}

} // namespace lanewise::silicon
