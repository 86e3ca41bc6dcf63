"""The built wheel, in a clean environment with its base dependencies alone, spells a word."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

MAKING = ("torch", "lightning", "onnx", "onnxscript", "spoken_to_signed", "tensorboard")
MAX_INSTALLED_MB = 340
MAX_PEAK_MB = 200
MAX_PACKAGE_MB = 12
MAX_PACKAGES_MB = 60

PEAK_MEMORY = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.fixture(scope="module")
def members(wheel) -> dict[str, int]:
    """Size of every file in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: info.file_size for info in archive.infolist()}


@pytest.fixture
def run(clean_scripts, clean_variables, tmp_path):
    """Run a program of the clean environment in an empty folder."""

    def run_program(program: str, *arguments: str, expect: int = 0) -> str:
        done = subprocess.run(
            [str(clean_scripts / program), *arguments],
            cwd=tmp_path, env=clean_variables, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == expect, done.stderr
        return done.stdout if expect == 0 else done.stderr

    return run_program


def test_the_wheel_holds_recipes_packages_and_type_marker(members):
    assert "signloom/py.typed" in members
    assert "signloom/recipes/produce/toy.yaml" in members
    assert "signloom/recipes/produce/fingerspelling_ase.yaml" in members
    package = {Path(name).name for name in members if name.startswith("signloom/models/produce-")}
    graphs = {"encoder.onnx", "step.onnx"}
    assert graphs | {"config.json", "vocabulary.json", "card.md", "checksums.json"} <= package


def test_the_wheel_holds_nothing_but_the_package(members):
    tops = {name.split("/")[0] for name in members}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"signloom"}


def test_the_wheel_is_pure_python_and_carries_its_licence(wheel, members):
    assert wheel.name.endswith("-py3-none-any.whl")
    assert any(name.endswith("licenses/LICENSE") for name in members)


def test_the_wheel_holds_no_file_of_the_research_data(members, data_dir):
    """Their licences forbid it; names are compared with their sizes."""
    research = {(path.name, path.stat().st_size) for path in data_dir.rglob("*") if path.is_file()}
    shipped = {(Path(name).name, size) for name, size in members.items() if size}
    assert shipped & research == set()


def test_the_models_are_no_larger_than_promised(members):
    sizes: dict[str, int] = {}
    for name, size in members.items():
        if name.startswith("signloom/models/"):
            package = name.split("/")[2]
            sizes[package] = sizes.get(package, 0) + size
    assert sizes
    assert max(sizes.values()) <= MAX_PACKAGE_MB * 1e6, sizes
    assert sum(sizes.values()) <= MAX_PACKAGES_MB * 1e6, sizes


def test_what_makes_models_is_not_installed(run):
    probe = "import importlib.util, sys; print([n for n in sys.argv[1:] if {}])"
    probe = probe.format("importlib.util.find_spec(n)")
    assert run("python", "-c", probe, *MAKING).strip() == "[]"


def test_the_package_comes_from_the_wheel_and_is_whole(run):
    where = run("python", "-c", "import signloom; print(signloom.__file__)").strip()
    assert "site-packages" in where
    run("python", "-c", "import signloom; [getattr(signloom, name) for name in signloom.__all__]")


def test_help_is_printed(run):
    assert "produce" in run("signloom", "--help")


def test_a_word_is_spelled_into_a_file(run, tmp_path):
    run("signloom", "produce", "hello", "-o", "x.pose")
    assert (tmp_path / "x.pose").stat().st_size > 0
    report = "from pose_format import Pose; print(Pose.read(open('x.pose', 'rb')).body.data.shape)"
    assert int(run("python", "-c", report).strip("()\n").split(",")[0]) > 20


@pytest.mark.parametrize("suffix", ["mp4", "gif", "png", "json"])
def test_every_format_is_written(run, tmp_path, suffix):
    run("signloom", "produce", "hi", "-o", f"x.{suffix}")
    assert (tmp_path / f"x.{suffix}").stat().st_size > 0


def test_the_models_are_listed(run):
    listed = run("signloom", "models", "list")
    for language in ("ase", "bzs", "gsg", "lls", "mfs", "ukl"):
        assert f"produce-fingerspelling-{language}-v" in listed


def test_the_report_says_what_kind_of_signing_it_is(run):
    assert json.loads(run("signloom", "produce", "hi", "--json"))["kind"] == "fingerspelling"


@pytest.mark.parametrize("arguments", [("train", "produce/toy"), ("export", "last.ckpt", "out")])
def test_a_command_that_makes_models_names_its_extra(run, arguments):
    said = run("signloom", *arguments, expect=2)
    assert len(said.splitlines()) == 1
    assert 'pip install "signloom[train]"' in said


def test_the_installed_base_is_small(clean_scripts):
    [packages] = (clean_scripts.parent / "lib").glob("python3*/site-packages")
    files = [path for path in packages.rglob("*") if path.is_file()]
    installers = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
    counted = [
        path for path in files if not path.relative_to(packages).parts[0].startswith(installers)
    ]
    assert sum(path.stat().st_size for path in counted) <= MAX_INSTALLED_MB * 1e6


def test_spelling_a_word_takes_little_memory(run, clean_scripts):
    command = [str(clean_scripts / "signloom"), "produce", "hello", "-o", "x.pose"]
    peak_kib = int(run("python", "-c", PEAK_MEMORY, *command))
    assert peak_kib * 1024 <= MAX_PEAK_MB * 1e6
