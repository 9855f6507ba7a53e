#include "report/atlas/make.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/text_file.h"
#include "base/version.h"
#include "base/workers.h"
#include "source/compiler/epoch.h"
#include "study/corpus/atlas/measure.h"
#include "study/corpus/tune/journal.h"
#include "study/parts/part_file.h"

namespace lanewise::report {

namespace {

using Progress = std::function<bool(const std::string&)>;

Expected<void> write_text(const std::filesystem::path& path, const std::string& text) {
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

std::string data_path(const std::string& item) {
  return "data/" + item + ".json";
}

/// What an earlier run has measured under this key, with its pictures; nothing if it is not there.
std::optional<AtlasJson> kept_entry(const std::filesystem::path& folder, const std::string& item,
                                    const std::string& key) {
  std::error_code ignored;
  const std::filesystem::path path = folder / data_path(item);
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const auto text = read_text_file(path.string());
  if (!text || !parts::is_sealed_line(*text)) return std::nullopt;
  AtlasJson entry = AtlasJson::parse(*text, nullptr, false);
  if (!entry.is_object() || entry.value("key", "") != key) return std::nullopt;
  entry.erase(std::prev(entry.end())); // the seal
  if (const auto pictures = entry.find("pictures"); pictures != entry.end()) {
    for (const AtlasJson& picture : *pictures) {
      if (!std::filesystem::is_regular_file(folder / picture.get<std::string>(), ignored))
        return std::nullopt;
    }
  }
  return entry;
}

/// All items, in threads.
class Measuring {
 public:
  Measuring(const AtlasOptions& options, const corpus::AtlasContents& contents,
            const Progress& progress)
      : options_(options),
        contents_(contents),
        progress_(progress),
        entries_(contents.items.size()) {
    settings_.every_32bit = options.every_32bit;
    settings_.progress = [this](const sweep::SweepProgress&) { return goes_on(""); };
  }

  Expected<MadeAtlas> run() {
    const parts::ItemRange range = parts::range_of(options_.part, entries_.size());
    made_.items = range.count();
    Workers(options_.jobs).run(range.count(), [&](std::size_t i) { take(range.begin + i); });
    if (fault_) return Unexpected(*fault_);
    made_.is_complete = made_.kept + made_.measured == range.count();
    return std::move(made_);
  }

  std::vector<AtlasJson> entries() {
    std::vector<AtlasJson> all;
    for (std::optional<AtlasJson>& entry : entries_) all.push_back(std::move(*entry));
    return all;
  }

 private:
  bool goes_on(const std::string& item) {
    const std::lock_guard lock(mutex_);
    if (!item.empty()) working_on_ = item;
    goes_on_ = goes_on_ && !fault_ &&
               progress_(fmt::format("{} of {} items: {}", made_.kept + made_.measured, made_.items,
                                     working_on_));
    return goes_on_;
  }

  void take(std::size_t i) {
    const corpus::AtlasItem& item = contents_.items[i];
    if (!goes_on(item.name())) return;
    corpus::PreparedItem prepared =
        corpus::prepare_item(item, contents_.sources, options_.request.chips, settings_);
    // Ctrl-C ends the host's compiler as well: that says nothing about the kernel.
    if (!goes_on(item.name())) return;
    auto entry = kept_entry(options_.folder, item.name(), prepared.key);
    const bool is_kept = entry.has_value();
    if (!is_kept) entry = measured(item, std::move(prepared));
    if (!entry) return;
    const std::lock_guard lock(mutex_);
    ++(is_kept ? made_.kept : made_.measured);
    entries_[i] = std::move(*entry);
  }

  /// Nothing after a stop, or where it cannot be written.
  std::optional<AtlasJson> measured(const corpus::AtlasItem& item, corpus::PreparedItem prepared) {
    const std::string key = prepared.key;
    const corpus::MeasuredItem result =
        corpus::measure_item(item, contents_.sources, std::move(prepared), settings_);
    if (!result.is_complete) return std::nullopt;
    AtlasJson entry = atlas_entry(item, key, result);
    for (const AtlasFile& file : atlas_pictures(item, result)) {
      if (!write(file)) return std::nullopt;
    }
    const std::string text = parts::sealed_line(entry);
    if (!write({data_path(item.name()), text})) return std::nullopt;
    return entry;
  }

  bool write(const AtlasFile& file) {
    const auto written = write_text(options_.folder / file.path, file.text);
    if (written) return true;
    const std::lock_guard lock(mutex_);
    if (!fault_) fault_ = written.error();
    return false;
  }

  const AtlasOptions& options_;
  const corpus::AtlasContents& contents_;
  const Progress& progress_;
  corpus::AtlasSettings settings_;
  std::vector<std::optional<AtlasJson>> entries_;
  std::mutex mutex_; ///< for what follows
  MadeAtlas made_;
  std::optional<Fault> fault_;
  std::string working_on_;
  bool goes_on_ = true;
};

Expected<void> make_folders(const std::filesystem::path& folder) {
  for (const char* name : {"op", "picture", "data"}) {
    std::error_code error;
    std::filesystem::create_directories(folder / name, error);
    if (!error) continue;
    Unexpected fault =
        bad_input("the folder cannot be made: " + error.message(), "name another one with --out");
    fault.value().file = (folder / name).string();
    return fault;
  }
  return {};
}

/// Figures without the parts of pages.
AtlasJson atlas_json(const AtlasOptions& options, std::span<const AtlasJson> entries) {
  AtlasJson chips = AtlasJson::array(), items = AtlasJson::array();
  for (const Arch arch : options.request.chips) chips.push_back(arch_params(arch).names.id);
  for (AtlasJson entry : entries) {
    for (const char* part : {"numbers", "sentences", "pictures"}) entry.erase(part);
    items.push_back(std::move(entry));
  }
  return {{"format", kAtlasFormat},
          {"version", kAtlasJsonVersion},
          {"lanewise", version()},
          {"chips", std::move(chips)},
          {"items", std::move(items)}};
}

Expected<AtlasJson> read_atlas(std::filesystem::path path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) path /= "atlas.json";
  const auto text = read_text_file(path.string());
  if (!text) return Unexpected(text.error());
  return AtlasJson::parse(*text, nullptr, false);
}

/// What the user typed, but for the names of files.
std::string command_text(const AtlasOptions& options) {
  const corpus::AtlasRequest& request = options.request;
  std::string text = "lanewise atlas";
  if (!request.folder.empty()) text += " DIR";
  text += " -o FOLDER --formats ";
  for (std::size_t i = 0; i < request.formats.size(); ++i)
    text += (i == 0 ? "" : ",") + std::string(formats::format_name(request.formats[i]));
  for (const std::string& name : request.kernels) text += " --kernel " + name;
  if (request.sfpi_release) text += " --sfpi " + compiler::epoch_text(*request.sfpi_release);
  if (options.every_32bit) text += " --every";
  if (!options.tuned.empty()) text += " --tuned FILE";
  if (!options.against.empty()) text += " --against EARLIER";
  return text;
}

/// By kernel, in their order.
std::vector<std::vector<const AtlasJson*>> by_kernel(std::span<const AtlasJson> entries) {
  std::vector<std::vector<const AtlasJson*>> all;
  for (const AtlasJson& entry : entries) {
    if (all.empty() || all.back().front()->at("id") != entry.at("id")) all.emplace_back();
    all.back().push_back(&entry);
  }
  return all;
}

/// Files of the items that an atlas lists.
std::set<std::string> files_of(const AtlasJson& atlas) {
  std::set<std::string> files;
  if (!atlas.is_object() || !atlas.contains("items")) return files;
  for (const AtlasJson& entry : atlas.at("items")) {
    if (!entry.is_object() || !entry.contains("id") || !entry.contains("format")) continue;
    files.insert("op/" + entry.at("id").get<std::string>() + ".html");
    files.insert(data_path(item_name(entry)));
    for (const char* kind : {"", ".narrow", ".near", ".near.narrow"})
      files.insert("picture/" + item_name(entry) + kind + ".svg");
  }
  return files;
}

/// Takes away what only the atlas that was there has.
void remove_gone(const std::filesystem::path& folder, const AtlasJson& before,
                 const AtlasJson& now) {
  const std::set<std::string> kept = files_of(now);
  for (const std::string& file : files_of(before)) {
    std::error_code ignored;
    const bool is_within = file.find("..") == std::string::npos;
    if (is_within && !kept.contains(file)) std::filesystem::remove(folder / file, ignored);
  }
}

Expected<void> write_pages(const AtlasOptions& options, std::span<const AtlasJson> entries,
                           const AtlasContext& context, MadeAtlas& made) {
  std::vector<AtlasFile> files{{"style.css", atlas_style()}, {"script.js", atlas_script()}};
  const auto kernels = by_kernel(entries);
  made.kernels = kernels.size();
  for (const auto& kernel : kernels)
    files.push_back({fmt::format("op/{}.html", kernel.front()->at("id").get<std::string>()),
                     atlas_page(kernel, context)});
  files.push_back({"index.html", atlas_index(entries, context)});
  files.push_back(
      {"atlas.json", made.json.dump(1, ' ', false, AtlasJson::error_handler_t::replace) + "\n"});
  for (const AtlasFile& file : files) {
    if (auto written = write_text(options.folder / file.path, file.text); !written) return written;
  }
  return {};
}

std::size_t count_failed(std::span<const AtlasJson> entries) {
  std::size_t failed = 0;
  for (const AtlasJson& entry : entries)
    failed += static_cast<std::size_t>(std::ranges::count_if(
        entry.at("chips"), [](const AtlasJson& chip) { return chip.contains("failure"); }));
  return failed;
}

/// What is to be read before long work.
// NOLINTNEXTLINE(bugprone-exception-escape): JSON is moved without one, which the check cannot see.
struct Named {
  std::map<std::string, corpus::TuneOutcome> tuned;
  AtlasJson earlier;
};
Expected<Named> read_named(const AtlasOptions& options) {
  Named named;
  if (!options.tuned.empty()) {
    auto tuned = corpus::TuneJournal::read(options.tuned);
    if (!tuned) return Unexpected(tuned.error());
    named.tuned = std::move(*tuned);
  }
  if (!options.against.empty()) {
    auto earlier = read_atlas(options.against);
    if (!earlier) return Unexpected(earlier.error());
    const AtlasJson nothing{{"items", AtlasJson::array()}};
    if (auto valid = atlas_changes(*earlier, nothing, options.against.string()); !valid)
      return Unexpected(valid.error());
    named.earlier = std::move(*earlier);
  }
  return named;
}

} // namespace

Expected<MadeAtlas> make_atlas(const AtlasOptions& options, const Progress& progress) {
  auto named = read_named(options);
  if (!named) return Unexpected(named.error());
  const auto contents = corpus::atlas_contents(options.request);
  if (!contents) return Unexpected(contents.error());
  if (auto made = make_folders(options.folder); !made) return Unexpected(made.error());
  Measuring measuring(options, *contents, progress);
  auto made = measuring.run();
  if (!made || !made->is_complete || options.part != parts::Part()) return made;

  const std::vector<AtlasJson> entries = measuring.entries();
  made->json = atlas_json(options, entries);
  made->failed = count_failed(entries);
  AtlasContext context{.command = command_text(options),
                       .checkout = options.request.folder.empty() ? "" : "DIR",
                       .has_tuned = !options.tuned.empty(),
                       .tuned = std::move(named->tuned),
                       .has_changes = !options.against.empty(),
                       .absent = contents->absent};
  if (context.has_changes) {
    auto changes = atlas_changes(named->earlier, made->json, options.against.string());
    if (!changes) return Unexpected(changes.error());
    context.changes = std::move(*changes);
  }
  const auto before = read_atlas(options.folder);
  if (auto written = write_pages(options, entries, context, *made); !written)
    return Unexpected(written.error());
  if (before && options.request.kernels.empty()) remove_gone(options.folder, *before, made->json);
  return made;
}

} // namespace lanewise::report
