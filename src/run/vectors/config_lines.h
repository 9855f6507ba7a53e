// Lines of a vector file about configuration: fields by name, and sections of ADDR_MOD.
#pragma once

#include "run/vectors/vector_file.h"
#include "run/vectors/vector_words.h"

namespace lanewise::vectors {

/// Behind `cfg`: NAME VALUE.
void take_config(Words& words, VectorCase& target);

/// Behind `addrmod` and `addrmodbias`: a section, then its fields.
void take_addr_mod(Words& words, VectorCase& target);
void take_addr_mod_bias(Words& words, VectorCase& target);

} // namespace lanewise::vectors
