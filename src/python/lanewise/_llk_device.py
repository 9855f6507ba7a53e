"""The device that tt-llk's tests see: a tile's L1, the state that a run has left, and the names of the ttexalens package by which
they reach both."""

import dataclasses
import json
import mmap
import os
import struct
import sys
import types

L1_BYTES = {"blackhole": 1536 * 1024, "wormhole": 1464 * 1024}


class Device:
    """A tile's L1. There is one per process."""

    def __init__(self, arch):
        self.l1 = bytearray(L1_BYTES[arch])
        self.state = None  # the text of what `lanewise llk-test --state` wrote after the last run

    def share(self, path):
        """L1 becomes a file, which sections that run see, too."""
        with open(path, "wb") as file:
            file.write(self.l1)
        with open(path, "r+b") as file:
            self.l1 = mmap.mmap(file.fileno(), os.path.getsize(path))

    def unshare(self):
        """L1 is memory of this process again, with what the file has."""
        if isinstance(self.l1, mmap.mmap):
            shared, self.l1 = self.l1, bytearray(self.l1[:])
            shared.close()

    def read(self, address, count):
        self._check(address, count)
        return bytes(self.l1[address:address + count])

    def write(self, address, data):
        self._check(address, len(data))
        self.l1[address:address + len(data)] = bytes(data)

    def _check(self, address, count):
        if not 0 <= address <= address + count <= len(self.l1):
            raise TTException(f"{count} bytes from 0x{address:X} on are not in L1")


class TTException(Exception):
    pass


#: Groups of configuration fields that ttexalens shows, and how the names of their fields begin.
STATE_GROUPS = {
    "alu_config": ("ALU_",),
    "unpack_tile_descriptor": ("THCON_SEC0_REG0_", "THCON_SEC1_REG0_"),
    "unpack_config": ("THCON_SEC0_REG2_", "THCON_SEC1_REG2_"),
    "pack_config": ("THCON_SEC0_REG1_", "THCON_SEC0_REG8_", "THCON_SEC1_REG1_", "THCON_SEC1_REG8_"),
    "relu_config": ("STACC_RELU_",),
    "pack_dest_rd_ctrl": ("PCK_DEST_RD_CTRL_",),
    "pack_edge_offset": ("PCK_EDGE_OFFSET_",),
    "pack_counters": ("PACK_COUNTERS_",),
    "pack_strides": ("PCK0_ADDR_CTRL_",),
}
#: GPRs: tt-llk's conftest asks ttexalens to leave them out.
TensixState = dataclasses.make_dataclass("TensixState", [*((name, list) for name in STATE_GROUPS), ("gpr", list)])


def tensix_state(text):
    """What get_tensix_state() gives, from the text of --state: of each group the fields of bank 0 by their names."""
    if text is None:
        raise TTException("no sections have run yet, so that there is no state to read")
    fields = {name: value for name, value in json.loads(text)["configuration"].items() if not name.endswith(", bank 1")}
    groups = {group: [{name: value for name, value in fields.items() if name.startswith(prefixes)}]
              for group, prefixes in STATE_GROUPS.items()}
    return TensixState(**groups, gpr=[])


class Verbosity:
    ERROR = 0

    @staticmethod
    def set(level):
        pass


class Context:
    """What check_context() gives: one device, of which nothing but its chip is known."""

    def __init__(self, arch):
        device = types.SimpleNamespace(
            _arch=arch,
            get_tensix_registers_description=lambda: types.SimpleNamespace(general_purpose_registers=[]),
            get_block=lambda coordinate: None)
        self.devices = {0: device}


class OnChipCoordinate:
    @staticmethod
    def create(*_, **__):
        return None


def words(address):
    """Tests name an address by a number, or by a member of an enumeration."""
    return getattr(address, "value", address)


def install(device, arch):
    """Makes `import ttexalens` give access to the device. `arch`: "blackhole" or "wormhole"."""
    context = Context(arch)

    # In 2025 the coordinate was core_loc, and came by name.
    def read_words(location=None, addr=0, device_id=0, word_count=1, **_):
        return list(struct.unpack(f"<{word_count}I", device.read(words(addr), 4 * word_count)))

    def write_words(location=None, addr=0, data=(), device_id=0, **_):
        values = [data] if isinstance(data, int) else list(data)
        device.write(words(addr), struct.pack(f"<{len(values)}I", *values))

    def unavailable(*_, **__):
        raise TTException("Lanewise has L1 and what a run leaves behind only: cores cannot be looked into from outside")

    def does_nothing(*_, **__):
        return None

    def other_name(name):
        # Tests of other releases import more; what they do not call may be missing.
        if name.startswith("__"):
            raise AttributeError(name)
        return unavailable

    modules = {
        "ttexalens": {"Verbosity": Verbosity, "check_context": lambda: context},
        "ttexalens.tt_exalens_init": {name: does_nothing for name in (
            "init_ttexalens", "init_ttexalens_remote", "cleanup_global_context")},
        "ttexalens.context": {"Context": Context},
        "ttexalens.coordinate": {"OnChipCoordinate": OnChipCoordinate},
        "ttexalens.debug_tensix": {"TensixDebug": unavailable},
        "ttexalens.hardware": {},
        "ttexalens.hardware.risc_debug": {"CallstackEntry": object},
        "ttexalens.tt_exalens_lib": {
            "TTException": TTException, "ParsedElfFile": object, "check_context": lambda: context,
            "read_from_device": lambda location=None, addr=0, device_id=0, num_bytes=4, **_: device.read(words(addr), num_bytes),
            "write_to_device": lambda location=None, addr=0, data=b"", device_id=0, **_: device.write(words(addr), data),
            "read_words_from_device": read_words, "write_words_to_device": write_words,
            "read_word_from_device": lambda location=None, addr=0, device_id=0, **_: read_words(location, addr)[0],
            "arc_msg": does_nothing, "load_elf": does_nothing, "convert_coordinate": does_nothing,
            "parse_elf": unavailable, "callstack": unavailable,
            "get_tensix_state": lambda *_, **__: tensix_state(device.state)},
    }
    for name, contents in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(contents)
        module.__getattr__ = other_name
        module.__path__ = []
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
