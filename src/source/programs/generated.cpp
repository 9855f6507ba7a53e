#include "source/programs/generated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "chip/isa/noc_record.h"
#include "source/programs/layout.h"

namespace lanewise::programs {

namespace {

using Numbers = std::vector<unsigned>;

constexpr unsigned kFace = 16;              ///< rows and columns of a face
constexpr std::uint32_t kTileOfNone = 1088; ///< the size that an unused circular buffer is given

std::string array_text(std::string_view type, std::string_view name, const Numbers& values) {
  return fmt::format("constexpr {} {}[{}] = {{{}}};\n", type, name, values.size(),
                     fmt::join(values, ","));
}

Numbers numbers_of(const std::vector<DataFormat>& formats) {
  Numbers numbers;
  for (const DataFormat format : formats) numbers.push_back(static_cast<unsigned>(format));
  return numbers;
}

/// What the headers say of every circular buffer.
struct Descriptors {
  KernelFormats formats;
  Numbers faces, partial, face_rows, narrow, rows, columns, bytes, face_grid_rows,
      face_grid_columns;
};

Expected<Descriptors> describe(const Program& program, const Kernel& kernel) {
  const unsigned count = noc_record(program.arch)->circular_buffers;
  std::vector<DataFormat> formats(count, DataFormat::Invalid);
  std::vector<TileShape> shapes(count);
  for (const CircularBuffer& cb : program.circular_buffers) {
    for (const CbIndex& index : cb.indices) {
      formats[index.index] = index.format;
      shapes[index.index] = index.tile;
    }
  }
  FormatRules rules{.fp32_dest = kernel.compute.fp32_dest,
                    .packs_bfp8_precisely = kernel.compute.packs_bfp8_precisely,
                    .unpacks_to_dest = std::vector<bool>(count)};
  for (const unsigned cb : kernel.compute.unpack_to_dest)
    if (cb < count) rules.unpacks_to_dest[cb] = true;
  auto found = kernel_formats(formats, rules);
  if (!found) return Unexpected(found.error());
  Descriptors all;
  all.formats = std::move(*found);
  for (unsigned cb = 0; cb < count; ++cb) {
    const TileShape shape = shapes[cb];
    const unsigned face_rows = std::min(shape.rows, kFace);
    all.face_rows.push_back(face_rows);
    all.face_grid_rows.push_back(shape.rows / face_rows);
    all.face_grid_columns.push_back(shape.columns / kFace);
    all.faces.push_back(all.face_grid_rows.back() * all.face_grid_columns.back());
    all.partial.push_back(shape.rows < 2 * kFace ? 1 : 0);
    all.narrow.push_back(shape.columns < 2 * kFace ? 1 : 0);
    all.rows.push_back(shape.rows);
    all.columns.push_back(shape.columns);
    const std::uint32_t bytes = format_bytes(formats[cb], shape.rows * shape.columns);
    all.bytes.push_back(bytes == 0 ? kTileOfNone : bytes);
  }
  return all;
}

/// The tables of one side, "unpack" or "pack".
std::string dimensions_text(std::string_view side, const Descriptors& all) {
  std::string text;
  const auto add = [&](std::string_view type, std::string_view name, const Numbers& values) {
    text += array_text(type, fmt::format("{}_{}", side, name), values);
  };
  add("uint8_t", "tile_num_faces", all.faces);
  add("uint8_t", "partial_face", all.partial);
  add("uint8_t", "tile_face_r_dim", all.face_rows);
  add("uint8_t", "narrow_tile", all.narrow);
  add("uint8_t", "tile_r_dim", all.rows);
  add("uint8_t", "tile_c_dim", all.columns);
  add("uint16_t", "tile_size", all.bytes);
  add("uint8_t", "num_faces_r_dim", all.face_grid_rows);
  add("uint8_t", "num_faces_c_dim", all.face_grid_columns);
  return text;
}

std::string formats_text(std::string_view type, std::string_view side, const Descriptors& all) {
  const bool is_pack = side == "pack";
  const KernelFormats& formats = all.formats;
  return array_text(type, fmt::format("{}_src_format", side),
                    numbers_of(is_pack ? formats.pack_source : formats.unpack_source)) +
         array_text(type, fmt::format("{}_dst_format", side),
                    numbers_of(is_pack ? formats.pack_destination : formats.unpack_destination));
}

std::string_view sync_name(const Kernel& kernel) {
  return kernel.compute.full_sync ? "DstSync::SyncFull" : "DstSync::SyncHalf";
}

/// All in one file, each for the cores that ask for it.
std::string descriptors_text(const Descriptors& all, const Kernel& kernel) {
  const ComputeSettings& compute = kernel.compute;
  std::string text = "#pragma once\n#include <cstdint>\n";
  text += fmt::format(
      "#if defined(UCK_CHLKC_MATH) || defined(UCK_CHLKC_PACK)\n#include \"llk_defs.h\"\n"
      "constexpr ckernel::MathFidelity MATH_FIDELITY = static_cast<ckernel::MathFidelity>({});\n"
      "constexpr bool APPROX = {};\n#endif\n",
      static_cast<unsigned>(compute.fidelity), compute.approximates);
  text += "#if !defined(UCK_CHLKC_PACK)\n" + formats_text("uint8_t", "unpack", all) +
          dimensions_text("unpack", all) + "#endif\n";
  text += "#if !defined(UCK_CHLKC_MATH) && !defined(UCK_CHLKC_UNPACK)\n" +
          formats_text("unsigned char", "pack", all) + dimensions_text("pack", all) +
          "#if defined(UCK_CHLKC_PACK)\n" +
          array_text("uint8_t", "unpack_src_format", numbers_of(all.formats.unpack_source)) +
          "#endif\n#endif\n";
  text += fmt::format(
      "#if defined(UCK_CHLKC_MATH) || defined(UCK_CHLKC_PACK) || defined(UCK_CHLKC_UNPACK)\n"
      "constexpr bool DST_ACCUM_MODE = {};\n#define DST_SYNC_MODE {}\n#endif\n",
      compute.fp32_dest, sync_name(kernel));
  return text;
}

/// As trees of 2025 have it.
void add_older_files(const Descriptors& all, const Kernel& kernel,
                     std::vector<GeneratedFile>& files) {
  const std::string_view once = "#pragma once\n#include <cstdint>\n";
  const auto add = [&](const char* name, std::string text) {
    files.push_back({name, std::string(once) + std::move(text)});
  };
  add("chlkc_unpack_data_format.h", formats_text("std::int32_t", "unpack", all));
  add("chlkc_pack_data_format.h", formats_text("unsigned char", "pack", all));
  add("chlkc_unpack_tile_dims.h", dimensions_text("unpack", all));
  add("chlkc_pack_tile_dims.h", dimensions_text("pack", all));
  add("chlkc_dst_accum_mode.h",
      fmt::format("constexpr bool DST_ACCUM_MODE = {};\n", kernel.compute.fp32_dest));
  add("chlkc_dst_sync_mode.h", fmt::format("#define DST_SYNC_MODE {}\n", sync_name(kernel)));
  add("chlkc_math_fidelity.h", fmt::format("constexpr std::int32_t MATH_FIDELITY = {};\n",
                                           static_cast<unsigned>(kernel.compute.fidelity)));
  add("chlkc_math_approx_mode.h",
      fmt::format("constexpr bool APPROX = {};\n", kernel.compute.approximates));
}

std::string include_text(const Kernel& kernel) {
  if (kernel.file.empty()) return kernel.text + "\n";
  return fmt::format("#include \"{}\"\n", kernel.file);
}

/// The source of a compute kernel as the start file of the checkout includes it for a thread.
std::string thread_text(const Kernel& kernel, std::string_view thread, EntryPoint has,
                        EntryPoint wants) {
  std::string upper(thread);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = fmt::format(
      "#define TRISC_{}\n#include \"defines_generated.h\"\n#ifndef NAMESPACE\n#define NAMESPACE "
      "chlkc_{}\n#endif\n#ifndef MAIN\n#define MAIN {}_main()\n#endif\n",
      upper, thread, thread);
  text += include_text(kernel);
  // A kernel of one generation in a checkout of another.
  if (has == EntryPoint::Main && wants == EntryPoint::KernelMain)
    text += fmt::format("void kernel_main() {{ chlkc_{0}::{0}_main(); }}\n", thread);
  if (has == EntryPoint::KernelMain && wants == EntryPoint::Main)
    text += fmt::format("namespace chlkc_{0} {{ void {0}_main() {{ kernel_main(); }} }}\n", thread);
  return text;
}

std::string defines_text(const Kernel& kernel) {
  std::string text;
  for (const auto& [name, value] : kernel.defines)
    text += fmt::format("#define {} {}\n", name, value);
  return text;
}

/// A source without comments; what stands in quotes is kept.
std::string without_comments(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.substr(i, 2) == "//") {
      i = std::min(source.find('\n', i), source.size() - 1);
      text += '\n';
    } else if (source.substr(i, 2) == "/*") {
      i = std::min(source.find("*/", i + 2), source.size() - 2) + 1;
      text += ' ';
    } else {
      text += source[i];
    }
  }
  return text;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
      return true;
  }
  return false;
}

} // namespace

Expected<EntryPoint> entry_point(std::string_view source) {
  const std::string text = without_comments(source);
  if (has_word(text, "kernel_main")) return EntryPoint::KernelMain;
  if (has_word(text, "MAIN")) return EntryPoint::Main;
  return bad_input("the kernel has neither kernel_main() nor MAIN",
                   "write void kernel_main() { ... }");
}

Expected<std::vector<GeneratedFile>> generated_files(const Program& program, const Kernel& kernel,
                                                     EntryPoint has, EntryPoint wants) {
  const auto all = describe(program, kernel);
  if (!all) return Unexpected(all.error());
  std::vector<GeneratedFile> files{{"chlkc_descriptors.h", descriptors_text(*all, kernel)}};
  add_older_files(*all, kernel, files);
  if (kernel.processor != Processor::Compute) {
    files.push_back({"kernel_includes.hpp", include_text(kernel)});
    return files;
  }
  files.push_back({"defines_generated.h", defines_text(kernel)});
  for (const std::string_view thread : {"unpack", "math", "pack"})
    files.push_back({fmt::format("chlkc_{}.cpp", thread), thread_text(kernel, thread, has, wants)});
  return files;
}

} // namespace lanewise::programs
