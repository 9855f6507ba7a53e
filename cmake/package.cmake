# cpack: Debian packages of what cmake --install has (install.cmake), without compiling anything again.
#   lanewise          the program; what it is linked with is found by dpkg-shlibdeps
#   python3-lanewise  `import lanewise` for the Python that it was built for
#   liblanewise-dev   the library for programs in C++, on the releases of its parts that it was built with
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanewise)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "The Lanewise maintainers <maintainers@lanewise.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# The version of a package that CMake has found, and the next after its last number, as bounds of Debian's.
function(bound_dependency name version result)
  string(REGEX MATCH "^(.*[.])?([0-9]+)$" whole "${version}")
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  set(${result} "${name} (>= ${version}~), ${name} (<< ${CMAKE_MATCH_1}${next}~)" PARENT_SCOPE)
endfunction()

# changelog.gz and copyright of a package.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where that is set
foreach(package lanewise python3-lanewise liblanewise-dev)
  set(documents ${PROJECT_BINARY_DIR}/debian/${package})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${documents}/changelog @ONLY)
  execute_process(COMMAND gzip -9nc ${documents}/changelog OUTPUT_FILE ${documents}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Those of the libraries that the program brings along, as their packages have them.
file(READ ${CMAKE_CURRENT_LIST_DIR}/debian/copyright copyright)
foreach(file ${LANEWISE_LIBRARIES_TO_KEEP})
  file(REAL_PATH ${file} real)
  execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" owner "${owner}")
  if(owner AND EXISTS /usr/share/doc/${owner}/copyright)
    file(READ /usr/share/doc/${owner}/copyright theirs)
    cmake_path(GET real FILENAME name)
    string(APPEND copyright "\n\n${name} is that of Debian's package ${owner}, whose copyright file says:\n\n${theirs}")
  endif()
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright "${copyright}")

# describe_package(COMPONENT NAME SECTION DESCRIPTION): what all packages have.
macro(describe_package component name section description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${key}_DESCRIPTION ${description})
  install(FILES ${PROJECT_BINARY_DIR}/debian/copyright ${PROJECT_BINARY_DIR}/debian/${name}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()

describe_package(program lanewise devel "${PROJECT_DESCRIPTION}
Lanewise runs compute kernels for Tenstorrent's Blackhole and Wormhole chips,
bit for bit. It shows how many cycles a kernel takes, finds what may go wrong
on silicon, and measures the error over every input.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
    "g++, libflint-arb2 | libflint19 | libflint18t64 | libflint-dev, libsollya8 | libsollya-dev, libjs-codemirror")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gcc-riscv64-unknown-elf, python3-lanewise, z3")

bound_dependency(libfmt-dev ${fmt_VERSION_MAJOR} fmt_bounds)
bound_dependency(nlohmann-json3-dev ${nlohmann_json_VERSION} json_bounds)
bound_dependency(libyaml-cpp-dev ${yaml-cpp_VERSION_MAJOR}.${yaml-cpp_VERSION_MINOR} yaml_bounds)
describe_package(development liblanewise-dev libdevel "Library behind Lanewise, for programs in C++
All that the program lanewise does, as a static library with its headers, for
CMake and pkg-config.")
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${fmt_bounds}, ${json_bounds}, ${yaml_bounds}, libexpected-dev, libsleef-dev, libmpfr-dev, "
  "libgmp-dev, libdw-dev, libelf-dev, libseccomp-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, lanewise (= ${PROJECT_VERSION})")

if(TARGET lanewise_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  bound_dependency(python3 ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR} python_bounds)
  describe_package(python python3-lanewise python "Lanewise for Python ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}
What the program lanewise does, for arrays of NumPy and PyTorch, and in
notebooks.")
  # The program's package depends on all libraries of the module, or brings them along.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python_bounds}, libc6, python3-numpy, lanewise (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-pytest, python3-yaml")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/postinst ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
include(CPack)
