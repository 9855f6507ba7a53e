# The programs: lanewise has every command; lanewise_first has those that a new user begins with, needs only a part of
# the library, and is there much sooner. They have the objects of that part in common.
# 'lanewise serve': cpp-httplib has no package of CMake's own in every Debian.
find_path(LANEWISE_HTTPLIB_INCLUDE httplib.h REQUIRED)
find_library(LANEWISE_HTTPLIB_LIBRARY cpp-httplib REQUIRED)
find_room_sources(cli cli_sources)
set(first_sources ${cli_sources})
list(JOIN LANEWISE_FIRST_CLI "|" first)
list(FILTER first_sources INCLUDE REGEX "^src/cli/(${first})[.]cpp$")
list(FILTER cli_sources EXCLUDE REGEX "^src/cli/(${first}|first_commands|all_commands)[.]cpp$")
# The command line only parses options and calls the library; optimising it takes longer than it gains.
add_room_objects(lanewise_cli_first OFF ${first_sources})
target_link_libraries(lanewise_cli_first PRIVATE CLI11::CLI11)
add_room_objects(lanewise_cli_others OFF ${cli_sources} src/cli/all_commands.cpp)
target_include_directories(lanewise_cli_others SYSTEM PRIVATE ${LANEWISE_HTTPLIB_INCLUDE})
# Only CLI11 is in it: optimising it takes seconds, sanitizers take minutes.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/command_line.cpp PROPERTY COMPILE_OPTIONS -O0)
if(LANEWISE_SANITIZE)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/command_line.cpp PROPERTY COMPILE_OPTIONS -O0 -fno-sanitize=all)
endif()
foreach(alone command_line main workbench_server)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/${alone}.cpp PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/${alone}.cpp PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()

add_executable(lanewise_cli $<TARGET_OBJECTS:lanewise_cli_first> $<TARGET_OBJECTS:lanewise_cli_others>)
set_target_properties(lanewise_cli PROPERTIES OUTPUT_NAME lanewise)
if(LANEWISE_SANITIZE)
  # Its tests are of the other build.
  set_target_properties(lanewise_cli lanewise_cli_others PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
target_link_libraries(lanewise_cli PRIVATE lanewise ${LANEWISE_HTTPLIB_LIBRARY} Threads::Threads)

set(first_objects)
foreach(part ${LANEWISE_FIRST_ROOMS} machine_kernels_baseline machine_kernels_v3 machine_kernels_v4 report_first cli_first)
  list(APPEND first_objects $<TARGET_OBJECTS:lanewise_${part}>)
endforeach()
add_executable(lanewise_first ${first_objects} src/cli/first_commands.cpp)
set_target_properties(lanewise_first PROPERTIES OUTPUT_NAME lanewise RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/first)
target_include_directories(lanewise_first PRIVATE ${PROJECT_SOURCE_DIR}/src ${LANEWISE_GENERATED})
target_link_libraries(lanewise_first PRIVATE fmt::fmt tl::expected lanewise_mpfr lanewise_dw lanewise_seccomp ZLIB::ZLIB Threads::Threads
                                             ${CMAKE_DL_LIBS} lanewise_warnings)
