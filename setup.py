"""Builds what is compiled of the Python package with CMake: the module, the program, and the libraries that they bring along. See
pyproject.toml for everything else.

A wheel is for the minor version of Python that builds it, and for every Linux on x86-64 whose C library has the symbols of this one
that are used. LANEWISE_BUILD names a build folder with a module for this Python; then nothing is compiled.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import setuptools
from setuptools.command.build_ext import build_ext

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
# What every system has under these names, or Python itself needs: the rest is put into the wheel.
OF_THE_SYSTEM = re.compile(r"(libc|libm|libgcc_s|libstdc\+\+|libz|libssl|libcrypto|ld-linux-x86-64)[.]so[.]")


def version():
    """That of the project, which CMakeLists.txt has."""
    return re.search(r"^project\(lanewise VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def run(*command):
    """What the command prints; its failure is that of the build."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def where_pybind11_is():
    """For CMake, if pybind11 is a package of Python; else (Debian's pybind11-dev) CMake finds it."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def binaries(folder):
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]


def bring_libraries(package):
    """Copies what the binaries of the package are linked with and other systems may not have, and the terms that come with it."""
    found = {}
    for file in binaries(package):
        found.update(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", file), re.MULTILINE))
    for name, path in found.items():
        kept = package / "lib/lanewise" / name
        if not OF_THE_SYSTEM.match(name) and not kept.exists():
            shutil.copyfile(path, kept)
            copy_terms(os.path.basename(os.path.realpath(path)), package / "share/licenses")


def copy_terms(library, folder):
    """The copyright file of the Debian package that has a library, where there is dpkg."""
    if not shutil.which("dpkg-query"):
        return
    owner = subprocess.run(["dpkg-query", "-S", f"*/{library}"], stdout=subprocess.PIPE, text=True).stdout.split(":")[0]
    terms = pathlib.Path("/usr/share/doc") / owner / "copyright"
    if owner and terms.exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(terms, folder / owner)


def newest_glibc(folder):
    """The newest version of the C library that has a symbol which is used, as (2, 35)."""
    versions = re.findall(r"Name: GLIBC_(\d+)[.](\d+)", "".join(run("readelf", "-VW", file) for file in binaries(folder)))
    return max((int(major), int(minor)) for major, minor in versions)


class BuildWithCMake(build_ext):
    """The module, and beside it the program with all that it needs."""

    def build_extension(self, extension):
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        build = pathlib.Path(os.environ.get("LANEWISE_BUILD") or self.configure()).resolve()
        run("ninja", "-C", build, "lanewise_python", "lanewise_cli", "lanewise_http")
        run("cmake", "--install", build, "--strip", "--component", "program", "--prefix", package)
        for folder in ("doc/lanewise/examples", "bash-completion", "fish", "man", "zsh"): # nobody looks for them there
            shutil.rmtree(package / "share" / folder, ignore_errors=True)
        with tempfile.TemporaryDirectory() as staged:
            run("cmake", "--install", build, "--strip", "--component", "python", "--prefix", staged)
            [module] = pathlib.Path(staged).rglob(self.get_ext_filename("_lanewise"))
            shutil.copyfile(module, package / module.name)
        bring_libraries(package)

    def configure(self):
        """In the folder for temporary files, so that a second build is short."""
        build = pathlib.Path(self.build_temp).resolve()
        build.mkdir(parents=True, exist_ok=True)
        run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLANEWISE_PYTHON=ON",
            "-DLANEWISE_TESTS=OFF", "-DLANEWISE_PRECOMPILED=ON", "-DLANEWISE_WARNINGS=OFF", f"-DPython_EXECUTABLE={sys.executable}",
            *where_pybind11_is(), *os.environ.get("CMAKE_ARGS", "").split())
        return build


class WheelForLinux(bdist_wheel):
    """Its name says which systems it is for: those with that C library, or a newer one."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        package = pathlib.Path(self.bdist_dir)
        if package.is_dir() and platform.startswith("linux_"):
            platform = "manylinux_{}_{}_".format(*newest_glibc(package)) + platform.removeprefix("linux_")
        return python, abi, platform


setuptools.setup(version=version(), ext_modules=[setuptools.Extension("lanewise._lanewise", [])],
                 cmdclass={"build_ext": BuildWithCMake, "bdist_wheel": WheelForLinux})
