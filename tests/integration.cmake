# Checks of the project as a whole: style, static analysis, the sanitizer build, both compilers, the installed package,
# and what a user sees on the command line.
set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/scripts)

add_test(NAME style.format COMMAND ${scripts}/check_format.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.arch COMMAND ${scripts}/check_arch.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.rooms COMMAND ${scripts}/check_rooms.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.wings COMMAND ${scripts}/draw_wings.py ${PROJECT_SOURCE_DIR} --check)
# Every planted fault still fits its file; that tests catch them is seen nightly.
add_test(NAME style.faults COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/faults/check_plant.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(style.faults PROPERTIES TIMEOUT 180)
add_test(NAME style.tidy COMMAND ${scripts}/check_tidy.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${LANEWISE_MODE})
# It keeps all cores busy: beside it, others would run out of their time.
set_tests_properties(style.tidy PROPERTIES TIMEOUT 1800 COST 1000 PROCESSORS 2)

add_test(NAME package.version COMMAND ${scripts}/check_version.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:lanewise_cli>)
set_tests_properties(package.version PROPERTIES TIMEOUT 60)
# The Debian packages, each in a root folder with what it depends on.
add_test(NAME package.deb COMMAND ${scripts}/check_deb.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:lanewise_cli>)
set_tests_properties(package.deb PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77 COST 100)
if(TARGET lanewise_python)
  add_test(NAME package.wheel COMMAND ${scripts}/check_wheel.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${Python_EXECUTABLE}
                                      $<TARGET_FILE:lanewise_cli>)
  set_tests_properties(package.wheel PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77 COST 100)
endif()
add_test(NAME package.recipes COMMAND ${scripts}/check_recipes.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:lanewise_cli>)
set_tests_properties(package.recipes PROPERTIES TIMEOUT 60)
add_test(NAME package.consumer COMMAND ${scripts}/check_package.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:lanewise_cli>)
set_tests_properties(package.consumer PROPERTIES TIMEOUT 300)

add_test(NAME cli.behaviour COMMAND ${scripts}/check_cli.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.behaviour PROPERTIES TIMEOUT 300)

# Help, completion, manual pages, colours, .lanewise.toml.
add_test(NAME cli.shell COMMAND ${scripts}/check_shell.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.shell PROPERTIES TIMEOUT 300)

# Results that are kept between runs.
add_test(NAME cli.cache COMMAND ${scripts}/check_cache.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
                                ${Python_EXECUTABLE})
set_tests_properties(cli.cache PROPERTIES TIMEOUT 300)

# Reports for engines of continuous integration.
add_test(NAME cli.ci COMMAND ${scripts}/check_ci.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.ci PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

# The parts of the program that ./lanewise builds first.
add_test(NAME cli.first COMMAND ${scripts}/check_first.sh $<TARGET_FILE:lanewise_first> $<TARGET_FILE:lanewise_kernels>
                                $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(cli.first PROPERTIES TIMEOUT 300)

# Closed and full streams, and files that cannot be written.
add_test(NAME cli.streams COMMAND ${scripts}/check_streams.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.streams PROPERTIES TIMEOUT 300)

add_test(NAME cli.files COMMAND ${scripts}/check_files.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.files PROPERTIES TIMEOUT 300)

# Kernels that Debian's RISC-V compiler makes, in every command.
add_test(NAME cli.elf COMMAND ${scripts}/check_elf.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.elf PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

add_test(NAME cli.time COMMAND ${scripts}/check_time.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.time PROPERTIES TIMEOUT 300)

# The pages that 'time --html' writes, in headless Chromium.
add_test(NAME cli.page COMMAND ${scripts}/check_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.page PROPERTIES TIMEOUT 300)

# The page and the picture of 'sweep'.
add_test(NAME cli.sweep-page COMMAND ${scripts}/check_sweep_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.sweep-page PROPERTIES TIMEOUT 300)

# The pages of 'diff' and of 'accuracy'.
add_test(NAME cli.diff-page COMMAND ${scripts}/check_diff_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.diff-page PROPERTIES TIMEOUT 300)
add_test(NAME cli.accuracy-page COMMAND ${scripts}/check_accuracy_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.accuracy-page PROPERTIES TIMEOUT 300)

# The page of 'elf --html': graphs of functions that Debian's RISC-V compiler makes; skipped where that is not installed.
add_test(NAME cli.elf-page COMMAND ${scripts}/check_elf_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.elf-page PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

add_test(NAME cli.hazards COMMAND ${scripts}/check_hazards.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.hazards PROPERTIES TIMEOUT 300)

add_test(NAME cli.parts COMMAND ${scripts}/check_parts.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
add_test(NAME cli.slurm COMMAND ${scripts}/check_slurm.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.parts cli.slurm PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
add_test(NAME cli.sweep COMMAND ${scripts}/check_sweep.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.sweep PROPERTIES TIMEOUT 300)

add_test(NAME cli.fit COMMAND ${scripts}/check_fit.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.fit PROPERTIES TIMEOUT 300)

add_test(NAME cli.tune COMMAND ${scripts}/check_tune.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.tune PROPERTIES TIMEOUT 300)

add_test(NAME cli.counts COMMAND ${scripts}/check_counts.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.counts PROPERTIES TIMEOUT 300)

add_test(NAME cli.linear COMMAND ${scripts}/check_linear.sh $<TARGET_FILE:lanewise_cli>)

# Commands that cannot say how far they are, on a terminal.
add_test(NAME cli.progress COMMAND ${scripts}/check_progress.py $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.progress PROPERTIES TIMEOUT 600)

add_test(NAME cli.llk COMMAND ${scripts}/check_llk.sh $<TARGET_FILE:lanewise_cli>)
set_tests_properties(cli.llk PROPERTIES TIMEOUT 300)

add_test(NAME cli.llk_test COMMAND ${scripts}/check_llk_test.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
add_test(NAME cli.llk-diff COMMAND ${scripts}/check_llk_diff.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.llk_test PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
add_test(NAME cli.llk_state COMMAND ${scripts}/check_llk_state.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.llk_state PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
add_test(NAME cli.clock COMMAND ${scripts}/check_clock.sh $<TARGET_FILE:lanewise_cli>)
set_tests_properties(cli.clock PROPERTIES TIMEOUT 120)
add_test(NAME docs.clock COMMAND ${scripts}/check_clock_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.clock PROPERTIES TIMEOUT 60)
add_test(NAME docs.laws COMMAND ${scripts}/check_laws_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.laws PROPERTIES TIMEOUT 3600)
add_test(NAME docs.tuned COMMAND ${scripts}/check_tuned_page.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.tuned PROPERTIES TIMEOUT 600)
# Rows of the open table against the record, where LANEWISE_METAL names a checkout: by day some operations of each engine.
set(held_operations add_tiles pack_tile abs_tile copy_tile_init)
if(LANEWISE_MODE STREQUAL "nightly")
  set(held_operations)
endif()
add_test(NAME clock.rows COMMAND ${scripts}/hold_rows.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR} ${held_operations})
set_tests_properties(clock.rows PROPERTIES TIMEOUT 7200 SKIP_RETURN_CODE 77)
set_tests_properties(cli.llk-diff PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)

# What the compiler makes of one kernel per pass, and of every example.
add_test(NAME compiler.filetests COMMAND ${scripts}/check_filetests.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(compiler.filetests PROPERTIES TIMEOUT 300)

add_test(NAME cli.fp16c COMMAND ${scripts}/check_fp16c.sh $<TARGET_FILE:lanewise_cli>)
set_tests_properties(cli.fp16c PROPERTIES TIMEOUT 60)

add_test(NAME cli.metal COMMAND ${scripts}/check_metal.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.metal PROPERTIES TIMEOUT 600)
add_test(NAME cli.accuracy COMMAND ${scripts}/check_accuracy.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.accuracy PROPERTIES TIMEOUT 300)
add_test(NAME cli.grayskull COMMAND ${scripts}/check_grayskull.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.grayskull PROPERTIES TIMEOUT 120)

# Every sample of README.md and docs/ prints what the page shows.
file(GLOB doc_test_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/*.cpp)
add_executable(lanewise_doc_test ${doc_test_sources})
target_link_libraries(lanewise_doc_test PRIVATE lanewise lanewise_warnings)
target_include_directories(lanewise_doc_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(lanewise_doc_test PRIVATE -O1)
add_test(NAME docs.samples COMMAND lanewise_doc_test $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.samples PROPERTIES TIMEOUT 300)
add_test(NAME docs.test COMMAND ${scripts}/check_doc_test.sh $<TARGET_FILE:lanewise_doc_test>)
set_tests_properties(docs.test PROPERTIES TIMEOUT 60)

# The Python package, its examples and its page of the documentation.
# Host programs, good and hostile.
add_test(NAME programs.host COMMAND ${scripts}/check_host_program.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(programs.host PROPERTIES TIMEOUT 300)
# A program on many cores in time.
add_test(NAME programs.grid_time COMMAND ${Python_EXECUTABLE} ${scripts}/check_grid_time.py $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(programs.grid_time PROPERTIES TIMEOUT 300)
# Programs of tt-metal, where LANEWISE_METAL names a checkout.
add_test(NAME programs.metal COMMAND ${scripts}/check_programs.sh $<TARGET_FILE:lanewise_cli>)
add_test(NAME programs.mistakes COMMAND ${scripts}/check_program_mistakes.sh $<TARGET_FILE:lanewise_cli>
                                        ${PROJECT_SOURCE_DIR}/src/source/programs/include)
set_tests_properties(programs.metal programs.mistakes PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77)
# Operations of ttnn by description, and mistakes in copies of their kernels: by day in those of three operations.
set(mistaken_operations unary matmul embedding)
if(LANEWISE_MODE STREQUAL "nightly")
  set(mistaken_operations)
endif()
add_test(NAME programs.ttnn COMMAND ${scripts}/check_ttnn.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR} results)
add_test(NAME programs.ttnn_mistakes COMMAND ${scripts}/check_ttnn.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR} mistakes
                                             ${mistaken_operations})
set_tests_properties(programs.ttnn programs.ttnn_mistakes PROPERTIES TIMEOUT 7200 SKIP_RETURN_CODE 77)
add_test(NAME programs.own_headers COMMAND ${scripts}/check_own_headers.sh $<TARGET_FILE:lanewise_cli> ${PROJECT_SOURCE_DIR})
set_tests_properties(programs.own_headers PROPERTIES TIMEOUT 1800)

if(TARGET lanewise_python)
  add_test(NAME python.package COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/python
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(python_environment PYTHONPATH=${LANEWISE_PYTHON_PATH} PYTHONDONTWRITEBYTECODE=1
                         LANEWISE_CLI=$<TARGET_FILE:lanewise_cli> LANEWISE_REMEMBER=off)
  set_tests_properties(python.package PROPERTIES TIMEOUT 300 ENVIRONMENT "${python_environment}")

  # tt-llk's own tests, where LANEWISE_LLK names a checkout.
  add_test(NAME llk.tests COMMAND ${scripts}/run_llk_tests.sh $<TARGET_FILE:lanewise_cli> ${Python_EXECUTABLE})
  set_tests_properties(llk.tests PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77 ENVIRONMENT "${python_environment}")

  add_test(NAME llk.sources COMMAND ${scripts}/compile_llk_tests.sh $<TARGET_FILE:lanewise_cli> ${Python_EXECUTABLE})
  set_tests_properties(llk.sources PROPERTIES TIMEOUT 3600 SKIP_RETURN_CODE 77 ENVIRONMENT "${python_environment}")

  # 'lanewise serve' over HTTP and in headless Chromium.
  add_test(NAME cli.serve COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/serve)
  set_tests_properties(cli.serve PROPERTIES TIMEOUT 300 ENVIRONMENT
                                            "PYTHONDONTWRITEBYTECODE=1;LANEWISE=$<TARGET_FILE:lanewise_cli>")
  # All pages, as headless Chromium shows them.
  add_test(NAME cli.pages COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/pages)
  set_tests_properties(cli.pages PROPERTIES TIMEOUT 600 ENVIRONMENT
                                            "${python_environment};LANEWISE=$<TARGET_FILE:lanewise_cli>;LANEWISE_SOURCE=${PROJECT_SOURCE_DIR}")
  # 'lanewise atlas' of the examples, in headless Chromium.
  add_test(NAME cli.atlas COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/atlas)
  set_tests_properties(cli.atlas PROPERTIES TIMEOUT 300 ENVIRONMENT
                                            "PYTHONDONTWRITEBYTECODE=1;LANEWISE=$<TARGET_FILE:lanewise_cli>")
  # 'lanewise lsp', as an editor talks to it.
  add_test(NAME cli.lsp COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/lsp)
  set_tests_properties(cli.lsp PROPERTIES TIMEOUT 300 ENVIRONMENT
                                          "PYTHONDONTWRITEBYTECODE=1;LANEWISE=$<TARGET_FILE:lanewise_cli>;LANEWISE_MONACO=${PROJECT_BINARY_DIR}/monaco")

  # The page that works in a browser alone: the module under Node, and in headless Chromium.
  add_test(NAME browser.page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/browser/run.sh $<TARGET_FILE:lanewise_cli> ${Python_EXECUTABLE}
                                     ${CMAKE_BINARY_DIR}/web)
  set_tests_properties(browser.page PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77)
endif()
# The VS Code extension, where npm is there.
add_test(NAME editors.vscode COMMAND ${scripts}/check_vscode.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(editors.vscode PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

# What takes ten seconds and more starts before the rest (suites.cmake has the unit tests).
foreach(long cli.behaviour cli.streams cli.sweep-page cli.diff-page cli.elf-page cli.accuracy-page cli.pages cli.atlas cli.parts cli.slurm cli.serve cli.metal cli.sweep cli.llk_test
             python.package compiler.filetests)
  if(TEST ${long})
    set_tests_properties(${long} PROPERTIES COST 100)
  endif()
endforeach()
# These take minutes.
foreach(long browser.page cli.llk-diff)
  if(TEST ${long})
    set_tests_properties(${long} PROPERTIES COST 700)
  endif()
endforeach()

# What is installed finds its own headers.
foreach(installed package.deb package.wheel package.consumer cli.first)
  if(TEST ${installed})
    set_tests_properties(${installed} PROPERTIES ENVIRONMENT_MODIFICATION LANEWISE_SFPI=unset:)
  endif()
endforeach()

# Every rule that is cited somewhere stands in docs/rules.
add_test(NAME docs.rules COMMAND ${scripts}/check_rules.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.rules PROPERTIES TIMEOUT 60)
# Links lead somewhere, the index has every page, and the front page is short.
add_test(NAME docs.pages COMMAND ${scripts}/check_pages.py ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.pages PROPERTIES TIMEOUT 60)

if(LANEWISE_SANITIZED_BUILD)
  # One after the other would keep one core busy long after the other has nothing left to do.
  set(sanitized_rooms ${LANEWISE_SANITIZED_ROOMS})
  if(LANEWISE_MODE STREQUAL "nightly")
    set(sanitized_rooms ${LANEWISE_ROOMS} cli)
  endif()
  foreach(folder ${sanitized_rooms})
    cmake_path(GET folder FILENAME room)
    file(GLOB room_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
    if(room_tests)
      add_test(NAME sanitize.${room} COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error -R ^unit.${room}$
               WORKING_DIRECTORY ${LANEWISE_SANITIZED_BUILD})
      set_tests_properties(sanitize.${room} PROPERTIES TIMEOUT 1900 COST 900)
      if(LANEWISE_MODE STREQUAL "nightly")
        set_tests_properties(sanitize.${room} PROPERTIES ENVIRONMENT LANEWISE_FUZZ_WORDS=10000000 TIMEOUT 7200)
      endif()
    endif()
  endforeach()
  add_test(NAME sanitize.examples COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error -R ^example
           WORKING_DIRECTORY ${LANEWISE_SANITIZED_BUILD})
  set_tests_properties(sanitize.examples PROPERTIES TIMEOUT 1900 COST 900)

  add_test(NAME sanitize.fuzz COMMAND ${scripts}/run_fuzzers.sh ${PROJECT_SOURCE_DIR} ${LANEWISE_SANITIZED_BUILD}
                                       ${LANEWISE_MODE})
  set_tests_properties(sanitize.fuzz PROPERTIES TIMEOUT 3600 COST 800)

  add_test(NAME digest.compilers
           COMMAND ${scripts}/compare_digests.sh $<TARGET_FILE:lanewise_digest>
                   ${LANEWISE_SANITIZED_BUILD}/tests/lanewise_digest)
  set_tests_properties(digest.compilers PROPERTIES TIMEOUT 300)
endif()

# A hundred thousand random kernels per chip; the unit tests have a thousand.
if(LANEWISE_MODE STREQUAL "nightly")
  add_test(NAME nightly.generated_loops COMMAND test_execution --gtest_filter=GeneratedLoop.RandomInstructions)
  set_tests_properties(nightly.generated_loops PROPERTIES ENVIRONMENT LANEWISE_GENERATED_LOOPS=200 TIMEOUT 7200)
  add_test(NAME nightly.kernels COMMAND test_oracle --gtest_filter=*Differential.ProgramsDoWhatKernelsMean*)
  # Three hundred thousand points of each function and pair of formats; the unit tests have some hundreds.
  add_test(NAME nightly.references COMMAND test_references --gtest_filter=*CorrectRounding*)
  set_tests_properties(nightly.references PROPERTIES ENVIRONMENT LANEWISE_REFERENCE_SAMPLES=300000 TIMEOUT 7200)
  # A million points of each function in vectors of every level, against one by one.
  add_test(NAME nightly.reference_levels COMMAND test_references --gtest_filter=*ReferenceLevels*:*VectorLibrary*:VectorPower.*)
  set_tests_properties(nightly.reference_levels PROPERTIES ENVIRONMENT LANEWISE_REFERENCE_SAMPLES=1000000 TIMEOUT 14400)
  set_tests_properties(nightly.kernels PROPERTIES ENVIRONMENT LANEWISE_RANDOM_KERNELS=100000 TIMEOUT 7200)
  # A thousand graphs of 100,000 nodes each; the unit tests have four of that size.
  add_test(NAME nightly.dominators COMMAND test_graph --gtest_filter=Dominators.OfAThousandLargeGraphsAreThoseOfBoost)
  set_tests_properties(nightly.dominators PROPERTIES ENVIRONMENT LANEWISE_FLOW_NODES=100000 TIMEOUT 7200)
  # A million small graphs; the unit tests have 400,000.
  add_test(NAME nightly.small_dominators COMMAND test_graph --gtest_filter=Dominators.OfSmallGraphsAreThoseByRemoval)
  set_tests_properties(nightly.small_dominators PROPERTIES ENVIRONMENT LANEWISE_FLOW_GRAPHS=1000000 TIMEOUT 1800)
  # All planted faults, each built and caught. It writes into the sources, which style checks and others read: nothing runs beside
  # it, and it comes last.
  add_test(NAME nightly.faults COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/faults/plant.py ${PROJECT_BINARY_DIR})
  set_tests_properties(nightly.faults PROPERTIES TIMEOUT 28800 RUN_SERIAL ON COST -1)
endif()

# Conversions of unpackers and packers against the formulas of the core reference, where that is found.
set(core_formulas ${PROJECT_SOURCE_DIR}/../shared/reference/core-formulas.py)
if(TARGET lanewise_python AND EXISTS ${core_formulas})
  add_executable(lanewise_tile_values ${CMAKE_CURRENT_SOURCE_DIR}/tile_values/main.cpp)
  target_link_libraries(lanewise_tile_values PRIVATE lanewise lanewise_warnings)
  add_test(NAME conform.tile-values COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/scripts/check_tile_values.py
                                            $<TARGET_FILE:lanewise_tile_values> ${core_formulas})
  set_tests_properties(conform.tile-values PROPERTIES TIMEOUT 60)
endif()
