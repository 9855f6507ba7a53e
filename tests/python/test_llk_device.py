"""The device that stands in for a card: what ttexalens shows of the state that a run has left, and L1 that sections share."""

import dataclasses
import json
import os
import subprocess
import sys
import types

import pytest

from lanewise import _llk_device


def text(**fields):
    return json.dumps({"configuration": fields, "counter": {"T1 RWC Dst": 8}})


def test_groups_have_the_fields_of_their_registers():
    state = dataclasses.asdict(_llk_device.tensix_state(text(
        ALU_FORMAT_SPEC_REG0_SrcA=5, ALU_ACC_CTRL_Fp32_enabled=1, STACC_RELU_ApplyRelu=2, PCK0_ADDR_CTRL_XY_REG_0_Xstride=3,
        **{"THCON_SEC0_REG0_TileDescriptor.XDim": 16, "THCON_SEC1_REG2_Out_data_format": 4, "T1 CFG_STATE_ID_StateID": 1,
           "ALU_ACC_CTRL_Fp32_enabled, bank 1": 0})))
    assert state["alu_config"] == [{"ALU_FORMAT_SPEC_REG0_SrcA": 5, "ALU_ACC_CTRL_Fp32_enabled": 1}]
    assert state["relu_config"] == [{"STACC_RELU_ApplyRelu": 2}]
    assert state["pack_strides"] == [{"PCK0_ADDR_CTRL_XY_REG_0_Xstride": 3}]
    assert state["unpack_tile_descriptor"] == [{"THCON_SEC0_REG0_TileDescriptor.XDim": 16}]
    assert state["unpack_config"] == [{"THCON_SEC1_REG2_Out_data_format": 4}]
    assert state["gpr"] == []


def test_states_differ_where_a_field_does():
    states = [_llk_device.tensix_state(text(ALU_ACC_CTRL_INT8_math_enabled=value)) for value in (0, 1, 0)]
    assert states[0] == states[2] and states[0] != states[1]


def test_before_a_run_there_is_no_state():
    with pytest.raises(_llk_device.TTException, match="no sections have run yet"):
        _llk_device.tensix_state(None)


def test_shared_memory_is_a_file_and_memory_again(tmp_path):
    device = _llk_device.Device("blackhole")
    device.write(0x30000, b"before")
    file = tmp_path / "l1"
    device.share(file)
    assert file.stat().st_size == _llk_device.L1_BYTES["blackhole"]
    device.write(0x30006, b" meanwhile")
    assert file.read_bytes()[0x30000:0x30010] == b"before meanwhile"
    with open(file, "r+b") as other:
        other.seek(0x30000)
        other.write(b"BEFORE")
    assert device.read(0x30000, 6) == b"BEFORE"
    device.unshare()
    device.write(0x30000, b"x")
    assert device.read(0x30000, 6) == b"xEFORE" and file.read_bytes()[0x30000:0x30006] == b"BEFORE"


def test_what_half_cannot_compute_is_tried_once():
    from lanewise import _llk_numbers

    torch = pytest.importorskip("torch")
    calls = []

    class Owner:
        @staticmethod
        def doubled(value, also=None):
            calls.append(value.dtype)
            if value.dtype == torch.float16 and also is None:
                raise RuntimeError("not implemented for 'Half'")
            return value * 2

    _llk_numbers.mend_half(torch, Owner, "doubled")
    half = torch.tensor([1.5], dtype=torch.float16)
    for _ in range(3):
        result = Owner.doubled(half)
        assert result.dtype == torch.float16 and result.item() == 3
    assert calls == [torch.float16, torch.float32, torch.float32, torch.float32]
    # Other types of arguments are another question.
    assert Owner.doubled(half, 1).dtype == torch.float16
    assert calls[-1] == torch.float16


def test_old_typing_extensions_get_what_they_lack_and_none_are_needed(monkeypatch):
    from lanewise import _llk_numbers

    # A module of None is one that cannot be imported.
    monkeypatch.setitem(sys.modules, "typing_extensions", None)
    _llk_numbers.mend_old_typing_extensions()
    old = types.ModuleType("typing_extensions")
    monkeypatch.setitem(sys.modules, "typing_extensions", old)
    _llk_numbers.mend_old_typing_extensions()

    def decorated():
        pass

    assert old.deprecated("since then")(decorated) is decorated


def test_a_module_is_mended_when_somebody_imports_it(tmp_path, monkeypatch):
    from lanewise import _llk_numbers

    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "imported_late.py").write_text("VALUE = 1\n")
    mended = []
    _llk_numbers.when_imported("imported_late", mended.append)
    _llk_numbers.when_imported("never_there", mended.append)
    import json  # noqa: F401  another one

    with pytest.raises(ImportError):
        import never_there  # noqa: F401
    assert mended == []
    import imported_late

    assert mended == [imported_late] and imported_late.VALUE == 1
    _llk_numbers.when_imported("imported_late", mended.append)
    assert len(mended) == 2
    assert not any(isinstance(finder, _llk_numbers.Awaited) for finder in sys.meta_path)
    sys.modules.pop("imported_late")


def test_tests_without_torch_do_not_wait_for_it(tmp_path):
    """What Lanewise does before a test's own imports leaves torch alone, and mends it when it comes."""
    (tmp_path / "torch.py").write_text("__version__ = '1.13'\n")
    code = ("import sys; from lanewise import _llk_numbers as n; n.mend_old_torch = lambda module: print(module.__version__); "
            "n.when_imported('torch', n.mend_old_torch); n.mend_integer_bounds(); print('torch' in sys.modules); import torch")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=path))
    assert made.stdout.split() == ["False", "1.13"], made.stderr
