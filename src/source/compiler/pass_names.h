// The names of the passes, apart from the passes: the command line needs no more to say what --dump
// takes.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::compiler {

/// Names for --dump, in the order in which the passes run (source/compiler/passes.cpp).
inline constexpr std::array<std::string_view, 15> kPassNames{
    "record", "combine", "dce",  "fold",     "cse",      "select",  "coalesce", "flags",
    "cc",     "hoist",   "rows", "schedule", "allocate", "hazards", "replay"};

/// The same, as options take them.
const std::vector<std::string>& pass_names();

} // namespace lanewise::compiler
