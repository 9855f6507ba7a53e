#include "study/corpus/atlas/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/in_quotes.h"
#include "source/checkouts/op.h"
#include "study/corpus/llk/cases.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::corpus {

namespace {

/// A list of names under that of their family.
template <class Row>
struct Family {
  const char* name;
  std::vector<Row> (*rows)();
};
template <class Row>
Family(const char*, std::vector<Row> (*)()) -> Family<Row>;

constexpr std::array kOpFamilies{Family{"functions", checkouts::float_ops},
                                 Family{"activations", checkouts::activation_ops},
                                 Family{"comparisons", checkouts::comparison_ops},
                                 Family{"integers", checkouts::integer_ops},
                                 Family{"several operands", checkouts::binary_ops},
                                 Family{"conversions", checkouts::conversion_ops},
                                 Family{"tiles", checkouts::tile_ops}};

constexpr std::array kLlkFamilies{
    Family{"predicates", llk_predicates},
    Family{"comparisons", llk_comparisons},
    Family{"helpers", llk_helpers},
    Family{"functions", llk_functions},
    Family{"activations", llk_activations},
    Family{"reciprocals", llk_reciprocals},
    Family{"roots", llk_roots},
    Family{"exponentials", llk_exponentials},
    Family{"exponential forms", llk_exponential_forms},
    Family{"logarithms", llk_logarithms},
    Family{"arithmetic", llk_arithmetic},
    Family{"integers", llk_integers},
    Family{"quantization", llk_quantization},
    Family{"choices", llk_choices},
    Family{"typecasts", llk_typecasts},
    Family{"tiles", llk_tile_kernels},
    Family{"reductions", llk_reductions},
    Family{"variances", llk_welfords},
    Family{"random numbers", llk_random},
    Family{"maxima", llk_selections},
    Family{"top k", llk_topk},
};

/// Names with their families.
template <class Families>
std::vector<std::pair<std::string, const char*>> named_families(const Families& families) {
  std::vector<std::pair<std::string, const char*>> all;
  for (const auto& family : families) {
    for (const auto& row : family.rows()) all.emplace_back(std::string(row.name), family.name);
  }
  return all;
}

/// Those of the wanted formats that a kernel has; its first one if it has none of them.
std::vector<formats::Format> formats_of(std::span<const formats::Format> has,
                                        std::span<const formats::Format> wanted) {
  std::vector<formats::Format> result;
  for (const formats::Format format : wanted) {
    if (std::ranges::find(has, format) != has.end()) result.push_back(format);
  }
  if (result.empty()) result.push_back(has.front());
  return result;
}

/// Over the specifications that a kernel has for the chips.
std::vector<formats::Format> dst_formats(std::span<const LlkKernel* const> kernels) {
  std::vector<formats::Format> all;
  for (const LlkKernel* kernel : kernels) {
    for (const LlkDst& dst : kernel->dst) all.push_back(dst.format);
  }
  return all;
}

/// Of functions of floats.
constexpr std::array kExampleFormats{formats::Format::BF16, formats::Format::FP16,
                                     formats::Format::FP32};

bool is_in_checkout(const LlkKernel& kernel, const checkouts::Checkout& checkout,
                    std::span<const Arch> chips) {
  return std::ranges::any_of(llk_cases(kernel, chips),
                             [&](const LlkCase& which) { return is_there(which, checkout); });
}

/// Adds the kernels of one origin, by name.
class Adder {
 public:
  Adder(AtlasContents& contents, const AtlasRequest& request, AccuracyOrigin origin,
        std::vector<AccuracyKernel> functions)
      : contents_(contents), request_(request), origin_(origin), functions_(std::move(functions)) {}

  void add_all(const std::vector<std::pair<std::string, const char*>>& names) {
    for (const auto& [name, family] : names) {
      if (std::ranges::find(added_, name) != added_.end()) continue;
      added_.push_back(name);
      add(name, family);
    }
  }

 private:
  void add(const std::string& name, const char* family) {
    const AccuracySources& sources = contents_.sources.of(origin_);
    std::vector<const LlkKernel*> found;
    for (const LlkKernel& kernel : sources.known) {
      if (kernel.name != name) continue;
      if (is_in_checkout(kernel, *sources.llk, request_.chips)) {
        found.push_back(&kernel);
      } else {
        ++contents_.absent;
      }
    }
    if (found.empty()) return;
    AtlasItem item{.id = (origin_ == AccuracyOrigin::Llk ? "llk." : "") + name,
                   .family = family,
                   .function = function_of(name, *found.front()),
                   .header = found.front()->header,
                   .call = found.front()->call};
    for (const formats::Format format : formats_of(dst_formats(found), request_.formats)) {
      item.format = format;
      contents_.items.push_back(item);
    }
  }

  AccuracyKernel function_of(const std::string& name, const LlkKernel& kernel) const {
    const auto known = std::ranges::find(functions_, name, &AccuracyKernel::name);
    if (known != functions_.end()) return *known;
    return {.name = name,
            .origin = origin_,
            .reference = {},
            .operands = static_cast<unsigned>(kernel.inputs.size())};
  }

  AtlasContents& contents_;
  const AtlasRequest& request_;
  AccuracyOrigin origin_;
  std::vector<AccuracyKernel> functions_;
  std::vector<std::string> added_;
};

void add_examples(AtlasContents& contents, const AtlasRequest& request) {
  contents.sources.operations.examples = request.examples;
  for (const AccuracyKernel& example : accuracy_examples()) {
    for (const formats::Format format : formats_of(kExampleFormats, request.formats))
      contents.items.push_back(
          {.id = example.name, .family = "examples", .function = example, .format = format});
  }
}

Expected<void> add_checkout(AtlasContents& contents, const AtlasRequest& request) {
  auto checkout = checkouts::Checkout::open(request.folder, request.chips);
  if (!checkout) return Unexpected(checkout.error());
  if (request.sfpi_release) checkout->choose_sfpi_release(*request.sfpi_release);
  if (checkout->is_metal()) {
    AccuracySources& operations = contents.sources.operations;
    operations.known = known_kernels(*checkout, request.chips);
    operations.llk = *checkout;
    Adder(contents, request, AccuracyOrigin::Metal, accuracy_metal_kernels(operations.known))
        .add_all(named_families(kOpFamilies));
  }
  contents.sources.llk.known = llk_corpus();
  contents.sources.llk.llk = checkout->tt_llk();
  Adder(contents, request, AccuracyOrigin::Llk, accuracy_llk_kernels())
      .add_all(named_families(kLlkFamilies));
  return {};
}

bool is_named(const AtlasItem& item, const std::string& name) {
  return item.id == name || item.function.name == name;
}

/// Leaves what --kernel names.
Expected<void> choose(AtlasContents& contents, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::none_of(contents.items,
                             [&](const AtlasItem& item) { return is_named(item, name); }))
      return bad_input(fmt::format("there is no kernel {}", in_quotes(name)),
                       "'lanewise accuracy --list' and 'lanewise list DIR' list their names");
  }
  if (names.empty()) return {};
  std::erase_if(contents.items, [&](const AtlasItem& item) {
    return std::ranges::none_of(names,
                                [&](const std::string& name) { return is_named(item, name); });
  });
  return {};
}

} // namespace

std::string AtlasItem::name() const {
  return fmt::format("{}.{}", id, formats::format_name(format));
}

Expected<AtlasContents> atlas_contents(const AtlasRequest& request) {
  AtlasContents contents;
  if (request.folder.empty()) {
    add_examples(contents, request);
  } else if (auto added = add_checkout(contents, request); !added) {
    return Unexpected(added.error());
  }
  if (auto chosen = choose(contents, request.kernels); !chosen) return Unexpected(chosen.error());
  return contents;
}

} // namespace lanewise::corpus
