// The places of configuration fields (NAME_ADDR32, NAME_SHAMT, NAME_MASK, NAME_RMW). They are
// written from the tables of lanewise, and stand at the head of a section's text.
#pragma once

/// First word of THCON, which WRCFG and REG2FLOP count from.
#define THCON_CFGREG_BASE_ADDR32 THCON_SEC0_REG0_TileDescriptor_ADDR32
