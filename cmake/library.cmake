# The library: every room but cli/. The lane kernels are compiled once per x86-64 level, and the
# best one that the processor has is chosen at run time (chip/machine/simd_level.h).
# The folders of src/: a room stands in a wing, but for those that are a wing of their own. In this order: a room includes only
# what stands before it (tests/scripts/check_rooms.sh). A room's name, in namespaces, targets and tests, is the last part of its
# folder.
set(LANEWISE_ROOMS
    base base/graph
    chip/isa chip/riscv chip/semantics chip/machine chip/timing chip/tile chip/clock chip/noc
    source/assembly source/compiler source/sfpi source/checkouts source/programs
    binary/elf binary/paths
    number/formats number/tensors number/references number/fits
    run/oracle run/execution run/section run/launch run/grid run/host run/vectors run/goldens
    study/parts study/sweep study/tune study/corpus study/changes study/silicon study/traffic
    report editor)
# Where an instruction is executed or an input measured, speed counts; the other rooms only have to be ready soon.
set(LANEWISE_FAST_ROOMS base/graph chip/isa chip/riscv chip/semantics chip/machine chip/timing chip/tile chip/clock chip/noc source/assembly binary/elf
                        number/formats number/tensors number/references run/oracle run/execution run/section run/goldens study/sweep study/tune)

# In the sanitizer build by day, these rooms consist of the files that a fuzzer or the tests of another room need: their own tests run
# in the other build (docs/testing.md, "What runs at night only"). Regular expressions for files of the room, "" for none.
set(LANEWISE_PARTLY_SANITIZED)
if(LANEWISE_SANITIZE AND NOT LANEWISE_MODE STREQUAL "nightly")
  set(LANEWISE_PARTLY_SANITIZED number/fits study/tune study/corpus study/changes study/silicon study/traffic report editor)
endif()
set(LANEWISE_SANITIZED_PART_number/fits sollya_text)
set(LANEWISE_SANITIZED_PART_study/tune result_text)
set(LANEWISE_SANITIZED_PART_study/changes baseline case wire)
set(LANEWISE_SANITIZED_PART_study/silicon cost_table rows case[.] compared record)
set(LANEWISE_SANITIZED_PART_study/traffic trace replay series)
set(LANEWISE_SANITIZED_PART_report run/ program/ grid/ plain_number change[.] isa/ table/ check/hazard_report llk/headers source_text tile/ number/ page/ elf/
                                   sweep/ accuracy/baseline accuracy/budget_file accuracy/names workbench/problems workbench/request)
# All but what times and checks programs.
set(LANEWISE_SANITIZED_PART_editor code_lenses completion definition diagnostics document frames hover inlay_hints line_text semantic_tokens settings
                                   statements text)

# What most files include, precompiled where LANEWISE_PRECOMPILED says so: once for the rooms where speed counts, once for
# all others.
set(LANEWISE_COMMON_HEADERS <algorithm> <array> <bit> <cmath> <cstdint> <filesystem> <functional> <map> <optional> <span>
                            <string> <string_view> <vector> <fmt/format.h> <fmt/ranges.h> <tl/expected.hpp>)

# What a room's objects need beside what all have: folders of headers.
set(LANEWISE_PACKAGES_lanewise_base lanewise_seccomp)
set(LANEWISE_PACKAGES_lanewise_sfpi lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_elf lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_section lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_launch lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_grid lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_host lanewise_dw)
set(LANEWISE_PACKAGES_lanewise_references lanewise_mpfr lanewise_arb)
set(LANEWISE_PACKAGES_lanewise_fits lanewise_sollya)
set(LANEWISE_PACKAGES_lanewise_report yaml-cpp)
set(LANEWISE_PACKAGES_lanewise_traffic yaml-cpp)
set(LANEWISE_PACKAGES_lanewise_cli_first CLI11::CLI11)

# In one unit, so many files are compiled: most of the time goes into the headers that they have in common.
set(LANEWISE_UNIT_SIZE 16)

# The first target of either kind precompiles the headers, the others of its kind take them over.
function(precompile_headers target speed)
  get_property(owner GLOBAL PROPERTY LANEWISE_PRECOMPILED_${speed})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${LANEWISE_COMMON_HEADERS})
    set_property(GLOBAL PROPERTY LANEWISE_PRECOMPILED_${speed} ${target})
  endif()
endfunction()

# add_room_objects(TARGET OPTIMISED SOURCES...): an object library of files of one room. OPTIMISED: speed counts in it.
function(add_room_objects target optimised)
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LANEWISE_UNITY} UNITY_BUILD_BATCH_SIZE ${LANEWISE_UNIT_SIZE}
                                             POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE fmt::fmt tl::expected nlohmann_json::nlohmann_json lanewise_warnings
                                          ${LANEWISE_PACKAGES_${target}})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${LANEWISE_GENERATED})
  add_dependencies(${target} lanewise_mnemonics)
  # Objects are position-independent, and nobody puts another function in the place of one of theirs: so it may be inlined.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  set(speed OFF)
  if(optimised)
    set(speed ON)
  else()
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(LANEWISE_FUZZ)
    # Fuzzers look for new ways through the rooms, not through tests and kernels of levels.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(LANEWISE_PRECOMPILED)
    precompile_headers(${target} ${speed})
  endif()
endfunction()

# Sources of a room in RESULT.
function(find_room_sources room result)
  file(GLOB_RECURSE sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "^src/${room}/kernels/") # once per level, below
  foreach(other ${LANEWISE_ROOMS}) # base/graph is a room of its own, not a part of base
    if(other MATCHES "^${room}/")
      list(FILTER sources EXCLUDE REGEX "^src/${other}/")
    endif()
  endforeach()
  if(room IN_LIST LANEWISE_PARTLY_SANITIZED)
    list(JOIN LANEWISE_SANITIZED_PART_${room} "|" part)
    if(part)
      list(FILTER sources INCLUDE REGEX "^src/${room}/(${part})")
    else()
      set(sources)
    endif()
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Rooms with a folder `kernels`: its *level.cpp are compiled once per level, and absent_level.cpp instead for a level that
# is left out.
set(LANEWISE_LEVEL_ROOMS chip/machine chip/tile number/references study/sweep)

# The part of the program that needs them (cmake/parts.cmake).
set(LANEWISE_PART_OF_LEVELS_chip/machine first)
set(LANEWISE_PART_OF_LEVELS_chip/tile kernels)
set(LANEWISE_PART_OF_LEVELS_number/references all)
set(LANEWISE_PART_OF_LEVELS_study/sweep all)

# add_level_objects(ROOM LEVEL): the object library lanewise_<name>_kernels_<level>.
function(add_level_objects room level)
  cmake_path(GET room FILENAME name)
  set(target lanewise_${name}_kernels_${level})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/kernels/*level.cpp)
  set(absent ${PROJECT_SOURCE_DIR}/src/${room}/kernels/absent_level.cpp)
  list(REMOVE_ITEM sources ${absent})
  if(NOT level IN_LIST LANEWISE_LEVELS OR (LANEWISE_PARTLY_SANITIZED AND NOT name STREQUAL "machine" AND NOT level STREQUAL "baseline"))
    set(sources ${absent})
  endif()
  add_library(${target} OBJECT ${sources})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${LANEWISE_FLAGS_${level}})
  if(name STREQUAL "references")
    # Nobody looks at floating-point exceptions there; with them, g++ makes no vectors of choices between doubles.
    target_compile_options(${target} PRIVATE -fno-trapping-math)
  endif()
  target_compile_definitions(${target} PRIVATE LANEWISE_LEVEL=${level})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${LANEWISE_GENERATED})
  add_dependencies(${target} lanewise_mnemonics)
  target_link_libraries(${target} PRIVATE tl::expected fmt::fmt lanewise_warnings)
  set_property(GLOBAL APPEND PROPERTY LANEWISE_OBJECTS_${LANEWISE_PART_OF_LEVELS_${room}} ${target})
endfunction()

# add_part(ROOM SOURCES PART): the object library of what SOURCES, a list's name, has of PART, which is taken out of it. Where the
# room has other parts, the part is in the target's name, but for the last.
function(add_part room sources part)
  cmake_path(GET room FILENAME name)
  set(of_part ${${sources}})
  take_part(${sources} ${part} of_part)
  set(${sources} ${${sources}} PARENT_SCOPE)
  if(NOT of_part)
    return()
  endif()
  set(target lanewise_${name})
  if(${sources})
    string(APPEND target _${part})
  endif()
  set(optimised OFF)
  if(room IN_LIST LANEWISE_FAST_ROOMS)
    set(optimised ON)
  endif()
  add_room_objects(${target} ${optimised} ${of_part})
  set_property(GLOBAL APPEND PROPERTY LANEWISE_OBJECTS_${part} ${target})
endfunction()

# Smaller parts come first, so that the targets that precompile headers are theirs.
foreach(room ${LANEWISE_ROOMS})
  string(MAKE_C_IDENTIFIER ${room} id)
  find_room_sources(${room} sources_${id})
endforeach()
foreach(part ${LANEWISE_PARTS})
  foreach(room ${LANEWISE_ROOMS})
    string(MAKE_C_IDENTIFIER ${room} id)
    add_part(${room} sources_${id} ${part})
  endforeach()
endforeach()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTY COMPILE_DEFINITIONS LANEWISE_VERSION="${PROJECT_VERSION}")
set(LANEWISE_LEVELS baseline v3 v4 CACHE STRING
    "x86-64 levels to compile the lane kernels for; a program with fewer is built sooner and runs on fewer processors")
foreach(level baseline v3 v4)
  if(level STREQUAL "baseline")
    set(level_flags -march=x86-64)
  else()
    set(level_flags -march=x86-64-${level})
    if(level STREQUAL "v4")
      list(APPEND level_flags -mprefer-vector-width=512)
    endif()
  endif()
  # -ffp-contract has nothing to contract, but no rounding may ever depend on a flag.
  set(LANEWISE_FLAGS_${level} ${level_flags} -O3 -ffp-contract=off)
  foreach(room ${LANEWISE_LEVEL_ROOMS})
    if(NOT LANEWISE_PART_OF_LEVELS_${room} IN_LIST LANEWISE_PARTS)
      continue()
    endif()
    add_level_objects(${room} ${level})
  endforeach()
endforeach()
# Where the headers that kernels include lie: in the source tree, and once installed.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/source/sfpi/headers.cpp PROPERTY SKIP_PRECOMPILE_HEADERS ON)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/source/sfpi/headers.cpp PROPERTY COMPILE_DEFINITIONS
  LANEWISE_SFPI_INCLUDE_DIR="${PROJECT_SOURCE_DIR}/src/source/sfpi/include"
  LANEWISE_SFPI_INSTALL_DIR="${CMAKE_INSTALL_FULL_DATADIR}/lanewise/sfpi/include"
  LANEWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}/src"
  LANEWISE_GENERATED_DIR="${LANEWISE_GENERATED}"
  LANEWISE_LIBRARY_INSTALL_DIR="${CMAKE_INSTALL_FULL_DATADIR}/lanewise/include")

# objects_of(PARTS RESULT): the objects of these parts.
function(objects_of parts result)
  set(objects)
  foreach(part ${parts})
    get_property(targets GLOBAL PROPERTY LANEWISE_OBJECTS_${part})
    foreach(target ${targets})
      list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Styles and scripts of the pages.
if(kernels IN_LIST LANEWISE_PARTS)
  lanewise_embed(lanewise_report_kernels report/page/style.css report/page/style.h page_style)
  lanewise_embed(lanewise_report_kernels report/program/rows.css report/program/style.h rows_style)
endif()
if(NOT all IN_LIST LANEWISE_PARTS)
  return()
endif()
lanewise_embed(lanewise_report report/time/style.css report/time/style.h time_style)
lanewise_embed(lanewise_report report/time/script.js report/time/style.h time_script)
lanewise_embed(lanewise_report report/sweep/colours.css report/sweep/style.h sweep_colours)
lanewise_embed(lanewise_report report/sweep/pictures.css report/sweep/style.h sweep_pictures)
lanewise_embed(lanewise_report report/sweep/style.css report/sweep/style.h sweep_layout)
lanewise_embed(lanewise_report report/accuracy/page.css report/accuracy/html.h accuracy_style)
lanewise_embed(lanewise_report report/page/sortable.css report/page/sortable.h sortable_style)
lanewise_embed(lanewise_report report/page/sortable.js report/page/sortable.h sortable_script)
lanewise_embed(lanewise_report report/atlas/atlas.css report/atlas/pages.h atlas_own_style)
lanewise_embed(lanewise_report report/atlas/atlas.js report/atlas/pages.h atlas_own_script)
lanewise_embed(lanewise_report report/elf/page.css report/elf/page_style.h elf_style)
lanewise_embed(lanewise_report report/elf/page.js report/elf/page_style.h elf_script)
lanewise_embed(lanewise_report report/workbench/frame.html report/workbench/page.h workbench_frame)
lanewise_embed(lanewise_report report/workbench/script.js report/workbench/page.h workbench_script)
lanewise_embed(lanewise_report report/workbench/layout.css report/workbench/page.h workbench_layout)
lanewise_embed(lanewise_report report/workbench/first_kernel.txt report/workbench/page.h workbench_kernel)


objects_of("${LANEWISE_PARTS}" library_objects)
add_library(lanewise STATIC ${library_objects})
add_library(lanewise::lanewise ALIAS lanewise)
target_compile_features(lanewise PUBLIC cxx_std_20)
target_include_directories(lanewise PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${LANEWISE_GENERATED}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanewise>)
target_link_libraries(lanewise PUBLIC fmt::fmt tl::expected nlohmann_json::nlohmann_json
                               PRIVATE ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS}
                                       $<BUILD_INTERFACE:lanewise_warnings>
                                       $<BUILD_INTERFACE:lanewise_mpfr>
                                       $<BUILD_INTERFACE:lanewise_dw>
                                       $<BUILD_INTERFACE:lanewise_seccomp>
                                       yaml-cpp
                                       $<BUILD_INTERFACE:${LANEWISE_SLEEF_LIBRARY}>
                                       # By name, since an installed package must not know this machine's folders.
                                       $<INSTALL_INTERFACE:sleef> $<INSTALL_INTERFACE:mpfr> $<INSTALL_INTERFACE:gmp>
                                       $<INSTALL_INTERFACE:dw> $<INSTALL_INTERFACE:elf> $<INSTALL_INTERFACE:seccomp>)
