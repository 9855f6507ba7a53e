"""The device that tt-llk's tests see: a tile's L1, and the names of the ttexalens package by which they reach it."""

import struct
import sys
import types

L1_BYTES = {"blackhole": 1536 * 1024, "wormhole": 1464 * 1024}


class Device:
    """A tile's L1. There is one per process."""

    def __init__(self, arch):
        self.l1 = bytearray(L1_BYTES[arch])

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
        raise TTException("Lanewise has L1 only: the cores' registers cannot be read from outside")

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
            "parse_elf": unavailable, "callstack": unavailable, "get_tensix_state": unavailable},
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
