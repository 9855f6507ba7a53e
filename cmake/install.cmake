# cmake --install: the program, the library, its headers, the Python package, find_package(lanewise) and pkg-config. What cpack makes
# packages of (package.cmake) are the components:
#   program      what every command needs, with the headers of kernels and of generated code
#   python       `import lanewise` for the Python that it was built for
#   development  the library for programs in C++
include(CMakePackageConfigHelpers)
set(data ${CMAKE_INSTALL_DATADIR}/lanewise)
set(libraries ${CMAKE_INSTALL_LIBDIR}/lanewise)

install(TARGETS lanewise_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS lanewise_http LIBRARY DESTINATION ${libraries} COMPONENT program)
# Libraries whose name differs between releases of Debian and Ubuntu lie beside the module of 'serve', where the program looks first.
foreach(file ${LANEWISE_LIBRARIES_TO_KEEP})
  name_of_library(${file} soname)
  file(REAL_PATH ${file} file)
  install(FILES ${file} DESTINATION ${libraries} RENAME ${soname} COMPONENT program)
endforeach()
# What kernels include; source/sfpi/headers.cpp finds it beside the installed program, or in the Python package.
install(DIRECTORY src/source/sfpi/include DESTINATION ${data}/sfpi COMPONENT program)
# What host programs of tt-metal include.
install(DIRECTORY src/source/programs/include DESTINATION ${data}/programs COMPONENT program)
# What the generated code of sweeps includes (run/execution/generated_loop.h).
install(DIRECTORY src/chip/isa src/chip/machine src/chip/semantics DESTINATION ${data}/include/chip COMPONENT program
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES src/base/fault.h DESTINATION ${data}/include/base COMPONENT program)
install(FILES ${LANEWISE_GENERATED}/chip/isa/mnemonics.inc DESTINATION ${data}/include/chip/isa COMPONENT program)
install(FILES ${LANEWISE_EXPECTED_INCLUDE}/tl/expected.hpp DESTINATION ${data}/include/tl COMPONENT program)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(CODE "set(LANEWISE_PROGRAM \"$<TARGET_FILE:lanewise_cli>\")
  set(LANEWISE_SHARE ${CMAKE_INSTALL_DATADIR})" COMPONENT program)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_shell.cmake COMPONENT program)

install(TARGETS lanewise EXPORT lanewise-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanewise COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN cli EXCLUDE PATTERN browser EXCLUDE PATTERN python EXCLUDE)
install(FILES ${LANEWISE_GENERATED}/chip/isa/mnemonics.inc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanewise/chip/isa
        COMPONENT development)
install(EXPORT lanewise-targets NAMESPACE lanewise:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise COMPONENT development)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/lanewise-config.cmake.in
  ${PROJECT_BINARY_DIR}/lanewise-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lanewise-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lanewise-config.cmake
              ${PROJECT_BINARY_DIR}/lanewise-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise COMPONENT development)
# From the folder of lanewise.pc, so that an installed tree may be moved.
file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/lanewise.pc.in ${PROJECT_BINARY_DIR}/lanewise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET lanewise_python)
  set(python_folder lib/python3/dist-packages/lanewise) # where Debian's Python looks, whichever minor version it has
  install(TARGETS lanewise_python LIBRARY DESTINATION ${python_folder} COMPONENT python)
  install(DIRECTORY src/python/lanewise/ DESTINATION ${python_folder} COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  # By which Python knows the version, and pytest the plugin.
  set(metadata ${PROJECT_BINARY_DIR}/lanewise-${PROJECT_VERSION}.dist-info)
  file(WRITE ${metadata}/METADATA "Metadata-Version: 2.1\nName: lanewise\nVersion: ${PROJECT_VERSION}\nSummary: ${PROJECT_DESCRIPTION}\n")
  file(WRITE ${metadata}/entry_points.txt "[pytest11]\nlanewise = lanewise.pytest_plugin\n")
  install(DIRECTORY ${metadata} DESTINATION lib/python3/dist-packages COMPONENT python)
endif()
