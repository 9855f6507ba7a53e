// What a tuned program takes for itself and what it leaves behind, in sentences.
#pragma once

#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/row_registers.h"
#include "study/tune/rows.h"
#include "study/tune/tuned.h"

namespace lanewise::tune {

/// Of a program whose words are written.
Contract contract_of(const Rows& rows, const Formed& formed, const Placement& placement,
                     const RowRegisters& registers, const Tuned& tuned);

} // namespace lanewise::tune
