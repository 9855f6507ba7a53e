// Comes first in every section of a test that is compiled for a core (run/section/core_source.h).
#pragma once

// A Tensix instruction in the code of a core: the word with its two highest bits below the others.
asm(R"(
.macro .ttinsn word
  .4byte (((\word) & 0x3fffffff) << 2) | (((\word) >> 30) & 3)
.endm
)");
