#!/usr/bin/env bash
# llk_tree.sh SOURCE FOLDER: makes a checkout of tt-llk for tests, of our own code.
set -euo pipefail
source=$1
mkdir -p "$2" && cd "$2"

# One test doubles tiles of BF16 and writes them, with the header our_offset.h in between; the other one has our_other.h.
for chip in blackhole wormhole_b0; do
  mkdir -p tt_llk_$chip/common/inc/sfpu tt_llk_$chip/llk_lib
  printf '#pragma once\n#define OFFSET 0\n' >tt_llk_$chip/llk_lib/our_offset.h
  printf '#pragma once\n' >tt_llk_$chip/llk_lib/our_other.h
done
mkdir -p tests/sources tests/python_tests/helpers
sed 's|#include "tensix.h"|&\n#include "our_offset.h"|; s|x + x|x + x + OFFSET|' "$source/tests/section/kernels/double_test.cpp" \
  >tests/sources/double_test.cpp
sed 's|our_offset.h|our_other.h|; s|+ OFFSET||' tests/sources/double_test.cpp >tests/sources/plain_test.cpp
grep -q 'x + x + OFFSET' tests/sources/double_test.cpp || { echo "the test of our own is another one"; exit 1; }
cat >tests/python_tests/helpers/test_config.py <<'END'
"""A variant as tt-llk has it, as far as the plugin asks for it."""
import enum, pathlib, types
class Format(enum.Enum):
    Float16_b = 5
class TestConfig:
    __test__ = False
    LLK_ROOT = pathlib.Path(__file__).resolve().parents[3]
    TESTS_WORKING_DIR = LLK_ROOT / "tests"
    def __init__(self, test_name, tiles):
        from ttexalens.tt_exalens_lib import write_to_device
        self.ARTEFACTS_DIR, self.test_name, self.variant_id = self.DEFAULT_ARTEFACTS_PATH, test_name, str(tiles)
        self.profiler_build, self.tiles = None, tiles
        self.variant_stimuli = types.SimpleNamespace(buf_res_addr=0x41000, stimuli_res_format=Format.Float16_b, tile_count_res=tiles,
                                                     buf_res_tile_size=2048, num_faces=4, face_r_dim=16, tile_dimensions=[32, 32])
        write_to_device("0,0", 0x21000, bytes((0x80, 0x3F)) * 1024 * tiles)
    def generate_build_header(self):
        return ("#pragma once\n#include <cstdint>\nstruct RuntimeParams { static constexpr std::uint32_t TILES = %d, IN = 0x21000, "
                "OUT = 0x41000; };\n#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams&\n" % self.tiles)
    def run(self):
        self.build_elfs()
        self.run_elf_files()
END
touch tt_llk_blackhole/common/inc/sfpu/kernels tt_llk_wormhole_b0/common/inc/sfpu/kernels # git keeps no empty folder
touch tests/python_tests/helpers/{pack,unpack}.py
echo "class DataFormat: pass" >tests/python_tests/helpers/format_config.py
touch tests/python_tests/helpers/__init__.py tests/python_tests/conftest.py
for name in double plain; do
  cat >tests/python_tests/test_$name.py <<END
import pytest
from helpers.test_config import TestConfig
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_$name(tiles):
    if tiles == 3:
        pytest.skip("too many")
    TestConfig("sources/${name}_test.cpp", tiles).run()
END
done
