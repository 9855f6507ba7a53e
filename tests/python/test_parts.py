"""Sweeps on the workers of a client of Dask's, and lanewise.map()."""

import pickle

import pytest

import lanewise as lw
from conftest import EXAMPLES

SAMPLE = "sample:900000:5"


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  silence_logs=50) as made:
        yield made


@pytest.fixture
def client(cluster):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster) as made:
        yield made


def test_parts_on_workers_give_what_one_sweep_gives(client):
    kernel = lw.kernel(EXAMPLES / "exp.tt", "wh")
    one = kernel.sweep("exp(x)", inputs=SAMPLE, ulp="accuracy-report-unrounded")
    many = kernel.sweep("exp(x)", inputs=SAMPLE, ulp="accuracy-report-unrounded", client=client, parts=7)
    assert many.to_dict() == one.to_dict()
    assert many.max_ulp == one.max_ulp


def test_gates_hold_for_the_whole(client):
    kernel = lw.kernel(EXAMPLES / "exp.tt")
    assert kernel.sweep("exp(x)", inputs=SAMPLE, client=client, max_ulp=1).holds
    assert not kernel.sweep("exp(x)", inputs=SAMPLE, client=client, max_ulp=0).holds


def _sweep_and_die_once(kernel, part, marker):
    """Ends its process in the middle of the first part that it is asked for."""
    import os

    from lanewise import _kernel

    if part.startswith("2/") and not marker.exists():
        marker.touch()
        os._exit(1)
    return _kernel._sweep_part(kernel, "exp(x)", (None, SAMPLE, "", "line", 1, None, 10), part)


def test_what_a_worker_loses_another_one_does_again(client, tmp_path, monkeypatch):
    from lanewise import _kernel

    kernel = lw.kernel(EXAMPLES / "exp.tt")
    marker = tmp_path / "died"
    monkeypatch.setattr(_kernel, "_sweep_part",
                        lambda kernel, ref, asked, part: _sweep_and_die_once(kernel, part, marker))
    swept = kernel.sweep("exp(x)", inputs=SAMPLE, client=client, parts=6)
    assert marker.exists()
    assert swept.to_dict() == kernel.sweep("exp(x)", inputs=SAMPLE).to_dict()


def test_a_kernel_comes_back_from_its_pickle():
    kernel = lw.kernel(EXAMPLES / "elementwise.tt", "wh", format="fp16", out_tile=0)
    again = pickle.loads(pickle.dumps(kernel))
    assert (again.file, again.arch, again.format) == (kernel.file, "wh", "fp16")


def test_a_file_that_has_changed_for_a_worker_is_named(client, tmp_path):
    file = tmp_path / "k.tt"
    file.write_text((EXAMPLES / "abs.tt").read_text())
    kernel = lw.kernel(file)
    file.write_text((EXAMPLES / "exp.tt").read_text())
    with pytest.raises(lw.Error, match="another sweep: programs is"):
        kernel.sweep("abs(x)", inputs=SAMPLE, client=client, parts=2)


def test_map_keeps_the_order_here_and_on_workers(client):
    files = [EXAMPLES / name for name in ("exp.tt", "abs.tt", "softplus.tt")]

    def cycles(file):
        return lw.kernel(file).time().cycles_per_tile

    here = lw.map(cycles, files, jobs=2)
    assert here == [cycles(file) for file in files]
    assert lw.map(cycles, files, client=client) == here
    assert lw.map(cycles, []) == []


def test_what_makes_no_sense_is_refused(client):
    kernel = lw.kernel(EXAMPLES / "abs.tt")
    with pytest.raises(lw.Error, match="no resume file"):
        kernel.sweep("abs(x)", client=client, resume="state")
    with pytest.raises(lw.Error, match="an expression as its reference"):
        kernel.sweep(abs, client=client)
    with pytest.raises(lw.Error, match="give one, or leave parts out"):
        kernel.sweep("abs(x)", parts=3)
    with pytest.raises(lw.Error, match="parts"):
        kernel.sweep("abs(x)", client=client, parts=-1)
    with pytest.raises(lw.Error, match="leave jobs out"):
        lw.map(abs, [1], client=client, jobs=2)
