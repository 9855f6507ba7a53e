# The parts of the program. Each is built by itself for those who need no more yet (./lanewise), and is a part of the next one:
#   first    lanewise_first:   'run' of assembly, 'asm', 'dis', 'explain', 'isa'
#   kernels  lanewise_kernels: these, 'run' of kernels in C++ and of ELF files, and 'tile'
#   all      lanewise:         every command; the library, the tests, ...
# An object is compiled in the same way whichever part is asked for, so that a larger part compiles nothing again. What a part does not
# need, neither files nor packages (cmake/packages.cmake), is not looked for.
set(LANEWISE_PART all CACHE STRING "The part that is built: first, kernels or all")
set(LANEWISE_PARTS first kernels all)
list(FIND LANEWISE_PARTS "${LANEWISE_PART}" last)
if(last EQUAL -1)
  message(FATAL_ERROR "LANEWISE_PART is '${LANEWISE_PART}'; it takes first, kernels or all")
endif()
math(EXPR count "${last} + 1")
list(SUBLIST LANEWISE_PARTS 0 ${count} LANEWISE_PARTS)

# What the smaller parts are made of: rooms and files of src/, as regular expressions. All else is of the last part.
set(LANEWISE_SOURCES_first
    base/[^/]+$ chip/isa/ chip/machine/ chip/semantics/ chip/timing/ source/assembly/ number/formats/ number/tensors/
    "source/compiler/(epoch|switches)[.]" source/sfpi/faces[.] "run/oracle/(printed|printed_lines)[.]"
    "run/execution/(check_program|footprint|load_program|loop_shape|row_access|row_program|run_program|tile_cost|tile_machine|tile_runner|unprogrammed)[.]"
    report/run/ report/isa/ report/table/text[.] report/check/hazard_report[.] report/llk/headers[.] "report/(plain_number|source_text)[.]"
    "cli/(assembly|checkout|chips|colour|command|config_file|description|formats|help|help_text|isa|kernel|main|output|program|run|run_hazards|run_sources|unknown_word)[.]")
set(LANEWISE_SOURCES_kernels
    binary/elf/ chip/clock/ chip/riscv/ chip/tile/ run/execution/ run/oracle/ "source/(assembly|checkouts|compiler|sfpi)/" "report/page/(page|record)[.]" report/program/ report/table/ report/tile/ report/change[.]
    "study/parts/(part|part_file|shared_orders|shared_work)[.]" "cli/(part_options|progress|race_options|tile|tile_images|tile_time)[.]")

# take_part(SOURCES PART RESULT): moves those of SOURCES, a list's name, that are of PART into RESULT.
function(take_part sources part result)
  set(taken ${${sources}})
  set(left)
  if(DEFINED LANEWISE_SOURCES_${part})
    list(JOIN LANEWISE_SOURCES_${part} "|" pattern)
    set(left ${taken})
    list(FILTER taken INCLUDE REGEX "^src/(${pattern})")
    list(FILTER left EXCLUDE REGEX "^src/(${pattern})")
  endif()
  set(${result} ${taken} PARENT_SCOPE)
  set(${sources} ${left} PARENT_SCOPE)
endfunction()
