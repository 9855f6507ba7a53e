# The library and the command line as one WebAssembly module (docs/browser.md), by Emscripten: what CMakeLists.txt includes instead of
# all that follows, where its toolchain is chosen. './lanewise web' does so.
#
# Debian's Emscripten comes with a C++ library of before C++20's algorithms. The headers of libc++ 15 (libc++-15-dev) know how it was
# built from __config_site alone: the folder made here has them with Emscripten's settings, and the folders of header-only packages.
set(LANEWISE_WEB_HEADERS ${PROJECT_BINARY_DIR}/headers)
find_path(LANEWISE_LIBCXX algorithm PATHS /usr/lib/llvm-15/include/c++/v1 NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(GLOB libcxx_headers ${LANEWISE_LIBCXX}/*)
file(MAKE_DIRECTORY ${LANEWISE_WEB_HEADERS}/libcxx ${LANEWISE_WEB_HEADERS}/packages)
foreach(header ${libcxx_headers})
  cmake_path(GET header FILENAME name)
  if(NOT name STREQUAL "__config_site")
    file(CREATE_LINK ${header} ${LANEWISE_WEB_HEADERS}/libcxx/${name} SYMBOLIC)
  endif()
endforeach()
# As tools/system_libs.py of Emscripten has it; libc++ 15 counts the algorithms of ranges as experimental.
file(CONFIGURE OUTPUT ${LANEWISE_WEB_HEADERS}/libcxx/__config_site CONTENT
     "#define _LIBCPP_ABI_VERSION 2
#define _LIBCPP_ABI_NAMESPACE __2
#define _LIBCPP_HAS_MUSL_LIBC
#define _LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS
#define _LIBCPP_ENABLE_ASSERTIONS_DEFAULT 0
#define _LIBCPP_ENABLE_EXPERIMENTAL
")
foreach(header boost/version.hpp fmt/format.h nlohmann/json.hpp tl/expected.hpp CLI/CLI.hpp)
  cmake_path(GET header PARENT_PATH package)
  find_path(LANEWISE_WEB_${package} ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${LANEWISE_WEB_${package}}/${package} ${LANEWISE_WEB_HEADERS}/packages/${package} SYMBOLIC)
endforeach()

# What the module is made of: the first part of the program (cmake/parts.cmake) and this, without what needs the system: files of
# src/, as regular expressions. What they ask for and the module lacks is in src/browser/missing.cpp.
set(LANEWISE_WEB_ROOMS base binary/elf binary/paths chip/isa chip/riscv chip/semantics chip/machine chip/timing source/assembly
                       source/compiler source/sfpi number/formats number/tensors number/references run/oracle run/execution run/vectors
                       study/parts study/sweep report cli browser)
set(LANEWISE_WEB_SOURCES base/graph/ binary/ chip/riscv/ report/check/ report/elf/ report/time/ report/page/ report/number/ report/table/
                         report/change[.] report/sweep/ "report/workbench/(errors|problems|request|workbench)[.]"
                         number/references/ study/sweep/ study/parts/checked_program study/parts/part study/parts/shared_work
                         "run/execution/(compiled_kernel|kernel_faults|kernel_hints|load_elf|load_recording|store_probe)[.]" "run/oracle/(dst_range|interpreter|lane_scopes|lane_values|node_execution|raw_words)[.]"
                         source/compiler/ "source/sfpi/(node_rules|predicate_stack|recording_builder|recording_file)[.]"
                         "run/vectors/(config_lines|conformance|machine_items|tile_items|vector_file)[.]"
                         "run/execution/unsaved_text[.]" "cli/(check|command_line|conform|elf|part_options|remembering|summary|sweep|sweep_setup|time)[.]" browser/)
set(LANEWISE_WEB_WITHOUT "base/(confinement|file_lines|landlock|memory_file|process|process_pool|processor_time)[.]"
                         "base/(shared_library|shared_memory|supervisor|system_calls|workers|zero_bytes)[.]" "cli/(config_file|main)[.]"
                         "number/references/(arb|enclosure[a-z_]*|evaluation|gamma_enclosures|source|special_enclosures|truth|versions|worker)[.]"
                         "binary/elf/(debug_lines|inlined_calls)[.]" study/sweep/diff[.] /kernels/)

# group_units(ROOM SOURCES): which of a room's files are compiled at once. Half of what a unit takes are headers of the standard library
# and of JSON, and what is made of their templates.
function(group_units room sources)
  set(count 0)
  foreach(source ${sources})
    math(EXPR number "${count} / 36")
    string(MAKE_C_IDENTIFIER "${room}_${number}" group)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()

# add_web_objects(TARGET OPTIONS SOURCES...): an object library of them, compiled with OPTIONS.
function(add_web_objects target options)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${LANEWISE_GENERATED})
  target_include_directories(${target} SYSTEM PRIVATE ${LANEWISE_WEB_HEADERS}/libcxx ${LANEWISE_WEB_HEADERS}/packages)
  target_compile_definitions(${target} PRIVATE FMT_HEADER_ONLY)
  target_compile_options(${target} PRIVATE -nostdinc++ -msimd128 -mavx -ffp-contract=off ${options})
  add_dependencies(${target} lanewise_mnemonics)
  set_property(GLOBAL APPEND PROPERTY LANEWISE_WEB_OBJECTS ${target})
endfunction()

# Rooms that throw, and catch. Exceptions are dear in WebAssembly: the others are compiled without.
set(LANEWISE_WEB_CATCHING binary/elf source/assembly source/sfpi number/references cli browser)
file(GLOB_RECURSE all_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(JOIN LANEWISE_SOURCES_first "|" first) # by itself, since CMake's expressions have an end
list(JOIN LANEWISE_WEB_SOURCES "|" included)
list(JOIN LANEWISE_WEB_WITHOUT "|" excluded)
set(first_sources ${all_sources})
list(FILTER first_sources INCLUDE REGEX "^src/(${first})")
list(FILTER all_sources INCLUDE REGEX "^src/(${included})")
list(APPEND all_sources ${first_sources})
list(REMOVE_DUPLICATES all_sources)
list(FILTER all_sources EXCLUDE REGEX "${excluded}")
foreach(room ${LANEWISE_WEB_ROOMS})
  set(sources ${all_sources})
  list(FILTER sources INCLUDE REGEX "^src/${room}/")
  cmake_path(GET room FILENAME name)
  set(options -Os)
  if(room IN_LIST LANEWISE_WEB_CATCHING)
    list(APPEND options -fexceptions)
  endif()
  add_web_objects(lanewise_${name} "${options}" ${sources})
  set_target_properties(lanewise_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  group_units(${room} "${sources}")
endforeach()
# Names that other files of their units have, too.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/command_line.cpp PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTY COMPILE_DEFINITIONS LANEWISE_VERSION="${PROJECT_VERSION}")

# Kernels: those of the lowest level, which WebAssembly's vectors are as wide as, and none of the others.
foreach(room chip/machine number/references study/sweep)
  cmake_path(GET room FILENAME name)
  set(kernels ${PROJECT_SOURCE_DIR}/src/${room}/kernels)
  file(GLOB level_sources CONFIGURE_DEPENDS ${kernels}/*level.cpp)
  list(FILTER level_sources EXCLUDE REGEX "/absent_level[.]cpp$")
  add_web_objects(lanewise_${name}_kernels_baseline -O2 ${level_sources})
  target_compile_definitions(lanewise_${name}_kernels_baseline PRIVATE LANEWISE_LEVEL=baseline)
  foreach(level v3 v4)
    add_web_objects(lanewise_${name}_kernels_${level} -Os ${kernels}/absent_level.cpp)
    target_compile_definitions(lanewise_${name}_kernels_${level} PRIVATE LANEWISE_LEVEL=${level})
  endforeach()
endforeach()

lanewise_embed(lanewise_cli cli/tasks.txt cli/help_text.h tasks_text)
lanewise_embed(lanewise_report report/page/style.css report/page/style.h page_style)
lanewise_embed(lanewise_report report/elf/page.css report/elf/page_style.h elf_style)
lanewise_embed(lanewise_report report/elf/page.js report/elf/page_style.h elf_script)
lanewise_embed(lanewise_report report/time/style.css report/time/style.h time_style)
lanewise_embed(lanewise_report report/time/script.js report/time/style.h time_script)
foreach(part colours pictures)
  lanewise_embed(lanewise_report report/sweep/${part}.css report/sweep/style.h sweep_${part})
endforeach()
lanewise_embed(lanewise_report report/sweep/style.css report/sweep/style.h sweep_layout)
lanewise_embed(lanewise_report report/page/sortable.css report/page/sortable.h sortable_style)
lanewise_embed(lanewise_report report/page/sortable.js report/page/sortable.h sortable_script)

get_property(targets GLOBAL PROPERTY LANEWISE_WEB_OBJECTS)
set(objects)
foreach(target ${targets})
  list(APPEND objects $<TARGET_OBJECTS:${target}>)
endforeach()
add_executable(lanewise_web ${objects})
set_target_properties(lanewise_web PROPERTIES OUTPUT_NAME lanewise SUFFIX .js)
# -Os makes the module smaller by a third, which takes most of the time of linking.
set(LANEWISE_WEB_LINK -Os CACHE STRING "How the module is optimised when it is linked: -Os or -O1")
target_link_options(lanewise_web PRIVATE -fexceptions ${LANEWISE_WEB_LINK} --no-entry -sMODULARIZE=1 -sEXPORT_NAME=makeLanewise -sALLOW_MEMORY_GROWTH=1
                    -sENVIRONMENT=web,worker,node "-sEXPORTED_FUNCTIONS=_lanewise_request,_malloc,_free" "-sEXPORTED_RUNTIME_METHODS=lengthBytesUTF8,stringToUTF8,UTF8ToString"
                    -sFORCE_FILESYSTEM=1 -sDYNAMIC_EXECUTION=0 -sTOTAL_STACK=4MB -sERROR_ON_UNDEFINED_SYMBOLS=1)
# Emscripten's own scripts want Debian's modules of Node, whichever Node runs them.
set_property(TARGET lanewise_web PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")

# The folder that any host serves.
set(LANEWISE_SITE ${PROJECT_BINARY_DIR}/site)
find_path(LANEWISE_CODEMIRROR lib/codemirror.js PATHS /usr/share/javascript/codemirror NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(LANEWISE_RECORDER "" CACHE FILEPATH "A lanewise of this machine, which records the examples in C++ for the page")
add_custom_target(lanewise_site
  COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D MODULE_DIR=${PROJECT_BINARY_DIR} -D EDITOR_DIR=${LANEWISE_CODEMIRROR}
          -D SITE=${LANEWISE_SITE} -D RECORDER=${LANEWISE_RECORDER} -P ${CMAKE_CURRENT_LIST_DIR}/site.cmake
  COMMENT "Making the page"
  VERBATIM)
add_dependencies(lanewise_site lanewise_web)
