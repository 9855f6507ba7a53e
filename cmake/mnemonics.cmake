# Makes chip/isa/mnemonics.inc: the mnemonics of chip/isa/instructions.def, of which chip/isa/op.h has the enumeration. It is written
# only if it is another one, so that a changed row leaves those alone who only name instructions.
#
# Run with cmake -P, this file writes OUTPUT from the table INPUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(LANEWISE_GENERATED ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${LANEWISE_GENERATED}/chip/isa/mnemonics.inc
    COMMAND ${CMAKE_COMMAND} -D INPUT=${PROJECT_SOURCE_DIR}/src/chip/isa/instructions.def
            -D OUTPUT=${LANEWISE_GENERATED}/chip/isa/mnemonics.inc -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${PROJECT_SOURCE_DIR}/src/chip/isa/instructions.def ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Listing the mnemonics"
    VERBATIM)
  add_custom_target(lanewise_mnemonics DEPENDS ${LANEWISE_GENERATED}/chip/isa/mnemonics.inc)
  return()
endif()

file(STRINGS ${INPUT} rows REGEX "^INSTRUCTION[(]")
list(TRANSFORM rows REPLACE "^INSTRUCTION[(] *([A-Z0-9_]+).*" "\\1,")
list(JOIN rows "\n" text)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}\n" @ONLY)
