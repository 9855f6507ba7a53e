"""Builds the module of the Python package with CMake: see pyproject.toml for everything else."""

import os
import pathlib
import re
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """That of the project, which CMakeLists.txt has."""
    return re.search(r"^project\(lanewise VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


class BuildWithCMake(build_ext):
    """The target lanewise_python, and beside it the headers that kernels and generated code include."""

    def build_extension(self, extension):
        """Configures and builds in the folder for temporary files, so that a second build is short."""
        build = pathlib.Path(self.build_temp).resolve()
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        build.mkdir(parents=True, exist_ok=True)
        run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLANEWISE_PYTHON=ON",
            "-DLANEWISE_TESTS=OFF", "-DLANEWISE_PRECOMPILED=ON", "-DLANEWISE_WARNINGS=OFF",
            f"-DPython_EXECUTABLE={sys.executable}", f"-DLANEWISE_PYTHON_MODULE_FOLDER={package}",
            *where_pybind11_is(), *os.environ.get("CMAKE_ARGS", "").split())
        run("ninja", "-C", build, "lanewise_python")
        run("cmake", "--install", build, "--prefix", package, "--component", "headers")


def where_pybind11_is():
    """For CMake, if pybind11 is a package of Python; else (Debian's pybind11-dev) CMake finds it."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def run(*command):
    """The command; its failure is that of the build."""
    subprocess.run([str(word) for word in command], check=True)


setuptools.setup(version=version(), ext_modules=[setuptools.Extension("lanewise._lanewise", [])],
                 cmdclass={"build_ext": BuildWithCMake})
