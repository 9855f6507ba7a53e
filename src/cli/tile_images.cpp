#include "cli/tile_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "cli/output.h"
#include "number/tensors/pattern.h"

namespace lanewise::cli {

namespace {

/// A fault of an option, or of a directive with its place.
Unexpected at_option(Fault fault, std::string_view option, const std::string& text) {
  fault.file = fmt::format("{} {}", option, text);
  return Unexpected(std::move(fault));
}

Unexpected at_directive(Fault fault, const TileProgram& program, const ImageSetting& setting) {
  fault.file = program.name;
  fault.line = setting.line;
  fault.column = setting.column;
  return Unexpected(std::move(fault));
}

Expected<void> check_fits(const tile::L1& l1, std::uint32_t address, std::size_t bytes) {
  if (l1.holds(address, bytes)) return {};
  return bad_input(fmt::format("{} bytes from 0x{:x} on reach beyond L1, which has {}", bytes,
                               address, l1.size()),
                   "choose a lower address, or a smaller image");
}

Expected<void> put_input(tile::L1& l1, const tensors::L1Input& input) {
  const auto bytes = tensors::l1_input_bytes(input);
  if (!bytes) return Unexpected(bytes.error());
  if (auto fits = check_fits(l1, input.address, bytes->size()); !fits) return fits;
  std::ranges::copy(*bytes, l1.bytes().begin() + input.address);
  return {};
}

Expected<void> read_whole(tile::L1& l1, const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return Unexpected(bytes.error());
  if (auto fits = check_fits(l1, 0, bytes->size()); !fits)
    return at_option(fits.error(), "--l1", path);
  std::memcpy(l1.bytes().data(), bytes->data(), bytes->size());
  return {};
}

/// The image at an address, of those that have one.
template <class Image>
const Image* image_at(const std::vector<Image>& images, std::uint32_t address) {
  const auto found = std::ranges::find(images, address, &Image::address);
  return found == images.end() ? nullptr : &*found;
}

Expected<std::vector<tensors::L1Input>> directive_inputs(const TileProgram& program) {
  std::vector<tensors::L1Input> inputs;
  for (const ImageSetting& setting : program.inputs) {
    auto input = tensors::parse_l1_input(setting.text);
    if (!input) return at_directive(input.error(), program, setting);
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

Expected<std::vector<tensors::L1Output>> directive_outputs(const TileProgram& program) {
  std::vector<tensors::L1Output> outputs;
  for (const ImageSetting& setting : program.outputs) {
    auto output = tensors::parse_l1_output(setting.text);
    if (!output) return at_directive(output.error(), program, setting);
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

Expected<void> check_output(const tile::L1& l1, const tensors::L1Output& output) {
  if (output.shape.empty())
    return bad_input("nobody says the shape of what lies there",
                     "write ADDRESS:SHAPE:FORMAT=FILE, for instance 0x30000:32x32:bf16=out.npy");
  if (auto fits = check_fits(l1, output.address, output.bytes()); !fits) return fits;
  return check_can_write(output.file);
}

} // namespace

void add_tile_image_options(const Command& command, TileImageOptions& options) {
  command
      .option("--in", options.inputs,
              "Put ADDRESS=INPUT:FORMAT into L1: a tensor in a format (" +
                  tensors::l1_format_names() +
                  "), tile by tile in the order of faces, or with :rows behind the format "
                  "row-major; or bytes, ADDRESS=FILE.bin. INPUT is one of\n" +
                  tensors::pattern_help())
      .value("INPUT")
      .one_at_a_time();
  command
      .option("--out", options.outputs,
              "Take ADDRESS:SHAPE:FORMAT=FILE out of L1, as 0x30000:32x32:bf16=out.npy; without "
              "=FILE it is printed, without a format SHAPE is a number of bytes")
      .value("FILE")
      .one_at_a_time();
  command.option("--l1", options.l1, "Start with a file's bytes in L1, from address 0 on");
  command.option("--save-l1", options.save_l1, "Write all of L1 into a file").value("FILE");
}

Expected<void> fill_l1(tile::L1& l1, const TileProgram& program, const TileImageOptions& options) {
  if (!options.l1.empty()) {
    if (auto read = read_whole(l1, options.l1); !read) return read;
  }
  const auto directives = directive_inputs(program);
  if (!directives) return Unexpected(directives.error());
  for (std::size_t i = 0; i < directives->size(); ++i) {
    if (auto put = put_input(l1, (*directives)[i]); !put)
      return at_directive(put.error(), program, program.inputs[i]);
  }
  for (const std::string& text : options.inputs) {
    auto input = tensors::parse_l1_input(text);
    if (!input) return at_option(input.error(), "--in", text);
    const tensors::L1Input* known = image_at(*directives, input->address);
    if (known != nullptr && !input->format) {
      input->format = known->format;
      input->order = known->order;
    }
    if (auto put = put_input(l1, *input); !put) return at_option(put.error(), "--in", text);
  }
  return {};
}

Expected<std::vector<tensors::L1Output>> chosen_outputs(const tile::L1& l1,
                                                        const TileProgram& program,
                                                        const TileImageOptions& options) {
  auto directives = directive_outputs(program);
  if (!directives) return directives;
  if (options.outputs.empty()) {
    for (std::size_t i = 0; i < directives->size(); ++i) {
      if (auto good = check_output(l1, (*directives)[i]); !good)
        return at_directive(good.error(), program, program.outputs[i]);
    }
    return directives;
  }
  std::vector<tensors::L1Output> outputs;
  for (const std::string& text : options.outputs) {
    auto output = tensors::parse_l1_output(text);
    if (!output) return at_option(output.error(), "--out", text);
    const tensors::L1Output* known = image_at(*directives, output->address);
    if (known != nullptr && output->shape.empty()) {
      const std::string file = output->file;
      *output = *known;
      output->file = file;
    }
    if (auto good = check_output(l1, *output); !good) return at_option(good.error(), "--out", text);
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

Expected<std::vector<report::TileOutput>> take_outputs(
    const tile::L1& l1, const std::vector<tensors::L1Output>& outputs,
    const TileImageOptions& options) {
  std::vector<report::TileOutput> taken;
  for (const tensors::L1Output& output : outputs) {
    const auto bytes = l1.bytes().subspan(output.address, output.bytes());
    auto values = tensors::l1_output_values(output, bytes);
    if (!values) return Unexpected(values.error());
    if (!output.file.empty()) {
      if (auto written = tensors::write_l1_output(output, bytes); !written)
        return Unexpected(written.error());
    }
    taken.push_back({.where = output, .values = std::move(*values)});
  }
  if (options.save_l1.empty()) return taken;
  if (auto written = write_file_atomically(options.save_l1, std::as_bytes(l1.bytes())); !written)
    return Unexpected(written.error());
  return taken;
}

} // namespace lanewise::cli
