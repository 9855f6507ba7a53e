# Every example runs on its chips, most on both, in the format that its first comment shows, without a fault: the exit status says so.
# What the results have to be is in tests/cli/examples_test.cpp and matrix_examples_test.cpp.
file(GLOB example_programs CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/examples/*.tt ${PROJECT_SOURCE_DIR}/examples/*.hex)

set(example_options_integer --in ramp --in bits --format int32)
set(example_options_stochastic --in random --format fp32)
set(example_options_transpose --in ramp --format uint16)
set(matrix_examples matmul_bh matmul_wh matmul_relu_bh matmul_relu_wh elementwise elementwise_row elementwise_column
    reduce_column reduce_row reduce_scalar)
foreach(name ${matrix_examples})
  set(example_options_${name} --srca random --srcb value:1)
endforeach()

file(GLOB example_kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
set(example_options_popcount --in bits --format uint32)

foreach(program ${example_programs} ${example_kernels})
  get_filename_component(name ${program} NAME_WE)
  get_filename_component(file ${program} NAME)
  set(options --in special)
  if(DEFINED example_options_${name})
    set(options ${example_options_${name}})
  endif()
  # Where the chips encode something differently, each has its own file.
  set(chips bh,wh)
  if(name MATCHES "_(bh|wh)$")
    set(chips ${CMAKE_MATCH_1})
  endif()
  # Under the sanitizers one chip is enough by day: what differs between them are tables.
  if(LANEWISE_SANITIZE AND chips MATCHES "," AND NOT LANEWISE_MODE STREQUAL "nightly")
    set(chips bh)
  endif()
  add_test(NAME example.${file} COMMAND ${LANEWISE_CLI} run ${program} ${options} --arch ${chips} --show 4)
  # A fault that leaves the results valid does not change the exit status, but an example should not have it either.
  set_tests_properties(example.${file} PROPERTIES TIMEOUT 120 LABELS unit
                       FAIL_REGULAR_EXPRESSION "NonContractual|Hazard|Unpredictable|Unsupported|Undefined|error")
endforeach()
