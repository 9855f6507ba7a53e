# The library: every room but cli/. The lane kernels are compiled once per x86-64 level, and the
# best one that the processor has is chosen at run time (chip/machine/simd_level.h).
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
# Budgets of accuracy (report/accuracy/budget_file.cpp).
find_package(yaml-cpp REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
# References (number/references/): MPFR has no package of CMake's own; of Boost only headers are used: Math's, and in tests and benchmarks Graph's.
find_package(Boost REQUIRED)
find_path(LANEWISE_MPFR_INCLUDE mpfr.h REQUIRED)
find_library(LANEWISE_MPFR_LIBRARY mpfr REQUIRED)
find_library(LANEWISE_GMP_LIBRARY gmp REQUIRED)
# Arb, for the gamma function and its derivatives, and FLINT below it: from version 3 on, FLINT has Arb in it.
find_path(LANEWISE_ARB_INCLUDE arb_hypgeom.h PATH_SUFFIXES flint REQUIRED)
find_library(LANEWISE_ARB_LIBRARY NAMES flint-arb arb flint REQUIRED)
find_library(LANEWISE_FLINT_LIBRARY flint REQUIRED)
get_filename_component(LANEWISE_ARB_NAME ${LANEWISE_ARB_LIBRARY} NAME_WE)
string(REGEX REPLACE "^lib" "" LANEWISE_ARB_NAME ${LANEWISE_ARB_NAME})
# Sollya, for minimax polynomials (number/fits/).
find_path(LANEWISE_SOLLYA_INCLUDE sollya.h REQUIRED)
find_library(LANEWISE_SOLLYA_LIBRARY sollya REQUIRED)
# Vectors of functions (number/references/kernels/): part of the GNU C Library, all of those used here since 2.35.
find_library(LANEWISE_MVEC_LIBRARY mvec REQUIRED)

# Lines of kernels (source/sfpi/debug_frames.cpp) and ELF files (binary/elf/): elfutils' libdw and libelf, which have no package of CMake's
# own either.
find_path(LANEWISE_DW_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(LANEWISE_DW_LIBRARY dw REQUIRED)
find_library(LANEWISE_ELF_LIBRARY elf REQUIRED)

# Confinement (base/system_calls.cpp): filters of system calls.
find_path(LANEWISE_SECCOMP_INCLUDE seccomp.h REQUIRED)
find_library(LANEWISE_SECCOMP_LIBRARY seccomp REQUIRED)

add_library(lanewise_seccomp INTERFACE)
target_include_directories(lanewise_seccomp SYSTEM INTERFACE ${LANEWISE_SECCOMP_INCLUDE})
target_link_libraries(lanewise_seccomp INTERFACE ${LANEWISE_SECCOMP_LIBRARY})

add_library(lanewise_mpfr INTERFACE)
target_include_directories(lanewise_mpfr SYSTEM INTERFACE ${LANEWISE_MPFR_INCLUDE} ${Boost_INCLUDE_DIRS})
target_link_libraries(lanewise_mpfr INTERFACE ${LANEWISE_MPFR_LIBRARY} ${LANEWISE_GMP_LIBRARY})

add_library(lanewise_arb INTERFACE)
target_include_directories(lanewise_arb SYSTEM INTERFACE ${LANEWISE_ARB_INCLUDE})
target_link_libraries(lanewise_arb INTERFACE ${LANEWISE_ARB_LIBRARY} ${LANEWISE_FLINT_LIBRARY} lanewise_mpfr)

add_library(lanewise_sollya INTERFACE)
target_include_directories(lanewise_sollya SYSTEM INTERFACE ${LANEWISE_SOLLYA_INCLUDE})
target_link_libraries(lanewise_sollya INTERFACE ${LANEWISE_SOLLYA_LIBRARY} lanewise_mpfr)

add_library(lanewise_dw INTERFACE)
target_include_directories(lanewise_dw SYSTEM INTERFACE ${LANEWISE_DW_INCLUDE})
target_link_libraries(lanewise_dw INTERFACE ${LANEWISE_DW_LIBRARY} ${LANEWISE_ELF_LIBRARY})

# The folders of src/: a room stands in a wing, but for those that are a wing of their own. In this order: a room includes only
# what stands before it (tests/scripts/check_rooms.sh). A room's name, in targets and tests, is the last part of its folder.
set(LANEWISE_ROOMS
    base base/graph
    chip/isa chip/riscv chip/semantics chip/machine chip/timing chip/tile
    source/assembly source/compiler source/sfpi source/checkouts
    binary/elf binary/paths
    number/formats number/tensors number/references number/fits
    run/oracle run/execution run/section run/vectors
    study/sweep study/tune study/corpus
    report)
# Where an instruction is executed or an input measured, speed counts; the other rooms only have to be ready soon.
set(LANEWISE_FAST_ROOMS base/graph chip/isa chip/semantics chip/machine chip/timing chip/tile source/assembly number/formats
                        number/tensors number/references run/oracle run/execution run/section study/sweep study/tune)

# What lanewise_first is made of, which the first commands of a new user need: these rooms, and of report and cli these
# files. The rest is built when a command asks for it (./lanewise).
set(LANEWISE_FIRST_ROOMS base isa riscv semantics machine timing tile assembly compiler sfpi checkouts elf formats tensors oracle
                         execution)
set(LANEWISE_FIRST_REPORT report/run/ report/plain_number.cpp report/isa/ report/table/text.cpp report/check/hazard_report.cpp report/llk/headers.cpp report/source_text.cpp report/tile/)
set(LANEWISE_FIRST_CLI assembly checkout command command_line isa kernel main output program progress run run_hazards run_sources tile tile_images
                       unknown_word)

# In the sanitizer build by day, these rooms consist of the files that a fuzzer or the tests of another room need: their own tests run
# in the other build (docs/testing.md, "What runs at night only"). Regular expressions for files of the room, "" for none.
set(LANEWISE_PARTLY_SANITIZED)
if(LANEWISE_SANITIZE AND NOT LANEWISE_MODE STREQUAL "nightly")
  set(LANEWISE_PARTLY_SANITIZED number/fits study/tune study/corpus report)
endif()
set(LANEWISE_SANITIZED_PART_number/fits sollya_text)
set(LANEWISE_SANITIZED_PART_report run/ plain_number isa/ table/ check/hazard_report llk/headers source_text tile/ number/ page/ elf/
                                   accuracy/baseline accuracy/budget_file accuracy/names workbench/problems workbench/request)

# What most files include, precompiled where LANEWISE_PRECOMPILED says so: once for the rooms where speed counts, once for
# all others.
set(LANEWISE_COMMON_HEADERS <algorithm> <array> <bit> <cmath> <cstdint> <filesystem> <functional> <map> <optional> <span>
                            <string> <string_view> <vector> <fmt/format.h> <fmt/ranges.h> <tl/expected.hpp>)

# In one unit, so many files are compiled: most of the time goes into the headers that they have in common.
set(LANEWISE_UNIT_SIZE 8)

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
                                          lanewise_mpfr lanewise_arb lanewise_sollya lanewise_dw lanewise_seccomp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${LANEWISE_GENERATED})
  add_dependencies(${target} lanewise_mnemonics)
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
set(LANEWISE_LEVEL_ROOMS chip/machine number/references study/sweep)

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
  target_sources(lanewise PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

add_library(lanewise STATIC)
foreach(room ${LANEWISE_ROOMS})
  cmake_path(GET room FILENAME name)
  find_room_sources(${room} room_sources)
  if(NOT room_sources)
    continue()
  endif()
  set(optimised OFF)
  if(room IN_LIST LANEWISE_FAST_ROOMS)
    set(optimised ON)
  endif()
  set(targets lanewise_${name})
  if(room STREQUAL "report")
    list(JOIN LANEWISE_FIRST_REPORT "|" first)
    set(first_sources ${room_sources})
    list(FILTER first_sources INCLUDE REGEX "^src/(${first})")
    list(FILTER room_sources EXCLUDE REGEX "^src/(${first})")
    list(APPEND targets lanewise_report_first)
    add_room_objects(lanewise_report OFF ${room_sources})
    target_link_libraries(lanewise_report PRIVATE yaml-cpp)
    add_room_objects(lanewise_report_first OFF ${first_sources})
    # Its folders stand beside each other, so that only files of one folder share a unit; the few first ones are one.
    set_property(SOURCE ${first_sources} PROPERTY UNITY_GROUP first)
    foreach(source ${room_sources})
      cmake_path(GET source PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} folder)
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder})
    endforeach()
    set_target_properties(lanewise_report lanewise_report_first PROPERTIES UNITY_BUILD_MODE GROUP)
  else()
    add_room_objects(lanewise_${name} ${optimised} ${room_sources})
  endif()
  foreach(target ${targets})
    target_sources(lanewise PRIVATE $<TARGET_OBJECTS:${target}>)
  endforeach()
endforeach()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTY COMPILE_DEFINITIONS LANEWISE_VERSION="${PROJECT_VERSION}")
# Styles and scripts of the pages.
lanewise_embed(lanewise_report report/page/style.css report/page/style.h page_style)
lanewise_embed(lanewise_report report/time/style.css report/time/style.h time_style)
lanewise_embed(lanewise_report report/time/script.js report/time/style.h time_script)
lanewise_embed(lanewise_report report/sweep/colours.css report/sweep/style.h sweep_colours)
lanewise_embed(lanewise_report report/sweep/pictures.css report/sweep/style.h sweep_pictures)
lanewise_embed(lanewise_report report/sweep/style.css report/sweep/style.h sweep_layout)
lanewise_embed(lanewise_report report/accuracy/page.css report/accuracy/html.h accuracy_style)
lanewise_embed(lanewise_report report/accuracy/page.js report/accuracy/html.h accuracy_script)
lanewise_embed(lanewise_report report/elf/page.css report/elf/page_style.h elf_style)
lanewise_embed(lanewise_report report/elf/page.js report/elf/page_style.h elf_script)
lanewise_embed(lanewise_report report/workbench/frame.html report/workbench/page.h workbench_frame)
lanewise_embed(lanewise_report report/workbench/script.js report/workbench/page.h workbench_script)
lanewise_embed(lanewise_report report/workbench/layout.css report/workbench/page.h workbench_layout)
lanewise_embed(lanewise_report report/workbench/first_kernel.txt report/workbench/page.h workbench_kernel)

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
    add_level_objects(${room} ${level})
  endforeach()
endforeach()
add_library(lanewise::lanewise ALIAS lanewise)
target_compile_features(lanewise PUBLIC cxx_std_20)
target_include_directories(lanewise PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${LANEWISE_GENERATED}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanewise>)
target_link_libraries(lanewise PUBLIC fmt::fmt tl::expected nlohmann_json::nlohmann_json
                               PRIVATE ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS}
                                       $<BUILD_INTERFACE:lanewise_warnings> $<BUILD_INTERFACE:lanewise_arb>
                                       $<BUILD_INTERFACE:lanewise_sollya>
                                       $<BUILD_INTERFACE:lanewise_mpfr>
                                       $<BUILD_INTERFACE:lanewise_dw>
                                       $<BUILD_INTERFACE:lanewise_seccomp>
                                       yaml-cpp
                                       $<BUILD_INTERFACE:${LANEWISE_MVEC_LIBRARY}>
                                       # By name, since an installed package must not know this machine's folders.
                                       $<INSTALL_INTERFACE:mvec> $<INSTALL_INTERFACE:${LANEWISE_ARB_NAME}> $<INSTALL_INTERFACE:flint>
                                       $<INSTALL_INTERFACE:sollya> $<INSTALL_INTERFACE:mpfr> $<INSTALL_INTERFACE:gmp>
                                       $<INSTALL_INTERFACE:dw> $<INSTALL_INTERFACE:elf> $<INSTALL_INTERFACE:seccomp>)
# Where the headers that kernels include lie: in the source tree, and once installed.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/source/sfpi/headers.cpp PROPERTY SKIP_PRECOMPILE_HEADERS ON)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/source/sfpi/headers.cpp PROPERTY COMPILE_DEFINITIONS
  LANEWISE_SFPI_INCLUDE_DIR="${PROJECT_SOURCE_DIR}/src/source/sfpi/include"
  LANEWISE_SFPI_INSTALL_DIR="${CMAKE_INSTALL_FULL_DATADIR}/lanewise/sfpi/include"
  LANEWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}/src"
  LANEWISE_GENERATED_DIR="${LANEWISE_GENERATED}"
  LANEWISE_LIBRARY_INSTALL_DIR="${CMAKE_INSTALL_FULL_INCLUDEDIR}/lanewise")

