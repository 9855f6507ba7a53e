# The packages that the parts of the program need (cmake/parts.cmake); the launcher knows their Debian names.
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_path(LANEWISE_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
# Confinement (base/system_calls.cpp): filters of system calls. It has no package of CMake's own.
find_path(LANEWISE_SECCOMP_INCLUDE seccomp.h REQUIRED)
find_library(LANEWISE_SECCOMP_LIBRARY seccomp REQUIRED)
add_library(lanewise_seccomp INTERFACE)
target_include_directories(lanewise_seccomp SYSTEM INTERFACE ${LANEWISE_SECCOMP_INCLUDE})
target_link_libraries(lanewise_seccomp INTERFACE ${LANEWISE_SECCOMP_LIBRARY})

if(NOT kernels IN_LIST LANEWISE_PARTS)
  return()
endif()

# Lines of kernels (source/sfpi/debug_frames.cpp) and ELF files (binary/elf/): elfutils' libdw and libelf, which have no package of CMake's
# own either.
find_path(LANEWISE_DW_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(LANEWISE_DW_LIBRARY dw REQUIRED)
find_library(LANEWISE_ELF_LIBRARY elf REQUIRED)
add_library(lanewise_dw INTERFACE)
target_include_directories(lanewise_dw SYSTEM INTERFACE ${LANEWISE_DW_INCLUDE})
target_link_libraries(lanewise_dw INTERFACE ${LANEWISE_DW_LIBRARY} ${LANEWISE_ELF_LIBRARY})

if(NOT all IN_LIST LANEWISE_PARTS)
  return()
endif()

# Budgets of accuracy (report/accuracy/budget_file.cpp).
find_package(yaml-cpp REQUIRED)
# References (number/references/): MPFR has no package of CMake's own; of Boost only headers are used: Math's, and in tests and benchmarks Graph's.
find_package(Boost REQUIRED)
find_path(LANEWISE_MPFR_INCLUDE mpfr.h REQUIRED)
find_library(LANEWISE_MPFR_LIBRARY mpfr REQUIRED)
find_library(LANEWISE_GMP_LIBRARY gmp REQUIRED)
add_library(lanewise_mpfr INTERFACE)
target_include_directories(lanewise_mpfr SYSTEM INTERFACE ${LANEWISE_MPFR_INCLUDE} ${Boost_INCLUDE_DIRS})
target_link_libraries(lanewise_mpfr INTERFACE ${LANEWISE_MPFR_LIBRARY} ${LANEWISE_GMP_LIBRARY})
# Libraries that few commands need are loaded when these do (base/shared_library.h): only their headers and names are built in.
find_program(LANEWISE_READELF NAMES ${CMAKE_READELF} readelf REQUIRED)
# name_of_library(FILE RESULT): the name by which the system's loader knows it.
function(name_of_library file result)
  execute_process(COMMAND ${LANEWISE_READELF} -d ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
    message(FATAL_ERROR "${file} has no soname")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
# Arb, for the gamma function and its derivatives: from version 3 on, it is part of FLINT.
find_path(LANEWISE_ARB_INCLUDE arb_hypgeom.h PATH_SUFFIXES flint REQUIRED)
find_library(LANEWISE_ARB_LIBRARY NAMES flint-arb arb flint REQUIRED)
name_of_library(${LANEWISE_ARB_LIBRARY} soname)
add_library(lanewise_arb INTERFACE)
target_include_directories(lanewise_arb SYSTEM INTERFACE ${LANEWISE_ARB_INCLUDE})
target_compile_definitions(lanewise_arb INTERFACE LANEWISE_ARB_SONAME="${soname}")
target_link_libraries(lanewise_arb INTERFACE lanewise_mpfr)
# Sollya, for minimax polynomials (number/fits/).
find_path(LANEWISE_SOLLYA_INCLUDE sollya.h REQUIRED)
find_library(LANEWISE_SOLLYA_LIBRARY sollya REQUIRED)
name_of_library(${LANEWISE_SOLLYA_LIBRARY} soname)
add_library(lanewise_sollya INTERFACE)
target_include_directories(lanewise_sollya SYSTEM INTERFACE ${LANEWISE_SOLLYA_INCLUDE})
target_compile_definitions(lanewise_sollya INTERFACE LANEWISE_SOLLYA_SONAME="${soname}")
target_link_libraries(lanewise_sollya INTERFACE lanewise_mpfr)
# Vectors of functions that have the same bits on every machine (number/references/kernels/).
find_library(LANEWISE_SLEEF_LIBRARY sleef REQUIRED)
# 'lanewise serve': cpp-httplib has no package of CMake's own in every Debian.
find_path(LANEWISE_HTTPLIB_INCLUDE httplib.h REQUIRED)
find_library(LANEWISE_HTTPLIB_LIBRARY cpp-httplib REQUIRED)
# What an installed program brings along (install.cmake): libraries that other releases of Debian and Ubuntu have under another name only,
# and a header of generated code.
find_library(LANEWISE_FMT_LIBRARY fmt)
find_library(LANEWISE_YAML_LIBRARY yaml-cpp)
set(LANEWISE_LIBRARIES_TO_KEEP ${LANEWISE_FMT_LIBRARY} ${LANEWISE_YAML_LIBRARY} ${LANEWISE_HTTPLIB_LIBRARY} ${LANEWISE_SLEEF_LIBRARY})
list(FILTER LANEWISE_LIBRARIES_TO_KEEP INCLUDE REGEX "[.]so")
find_path(LANEWISE_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
