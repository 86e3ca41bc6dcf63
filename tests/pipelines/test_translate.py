"""A translator reads what its packages read, in one go or many, and says how sure it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import signloom
from signloom.errors import ConfigError, PackageError
from signloom.pipelines.translate import Search, Translator
from signloom.poses.retime import resample
from tests.tiny_package import write_tiny_package
from tests.tiny_translator import MAX_SOURCE, STRIDE, WORDS, spelled, write_tiny_translator


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("translators")
    for source in ("glosses", "features", "poses"):
        write_tiny_translator(folder / source, source=source)
    return folder


@pytest.fixture(scope="module")
def glosses(packages: Path) -> Translator:
    return Translator(packages / "glosses")


def test_glosses_are_a_text_or_a_list(glosses: Translator) -> None:
    for source in ("MORGEN  REGEN NORD", ["MORGEN", "REGEN", "NORD"], ("MORGEN REGEN", "NORD")):
        assert glosses.translate(source).text == "morgen regen nord"


def test_features_are_an_array(packages: Path) -> None:
    features = np.repeat([[9, 1, 9], [9, 4, 9], [9, 0, 9]], STRIDE, axis=0)
    found = Translator(packages / "features").translate(features)
    assert (found.text, found.kind, found.language) == ("sonne abend regen", "signing", "gsg")


def test_a_pose_is_brought_to_the_frame_rate_of_the_package(packages: Path) -> None:
    translator = Translator(packages / "poses")
    pose = spelled("abdc")
    assert translator.translate(pose).text == "abdc"
    assert translator.translate(resample(pose, 50.0)).text == "abdc"


def test_joints_that_were_never_seen_are_put_in(packages: Path) -> None:
    pose = spelled("dab")
    confidence = pose.confidence.copy()
    confidence[:, 29:] = 0
    confidence[5:9] = 0
    partial = signloom.Pose(pose.frames, confidence, pose.fps)
    assert Translator(packages / "poses").translate(partial).text == "dab"


def test_the_language_begins_the_decoder(packages: Path) -> None:
    pose = spelled("abc")
    assert Translator(packages / "poses").language == "ase"
    german = Translator(packages / "poses", language="gsg")
    # The tiny model says the next letter first where its decoder is begun by `<gsg>`.
    assert german.translate(pose).tokens[0] == "a"
    assert Translator(packages / "poses").translate(pose).tokens[0] == "<rep>"
    assert german.translate(pose).language == "gsg"


@pytest.mark.parametrize(
    ("languages", "wanted", "message"),
    [
        (["ase", "gsg"], "bzs", "ase, gsg, but it is 'bzs'"),
        (["lls", "gsg"], None, "lls, gsg, but none is given"),
    ],
)
def test_a_language_of_another_model_is_refused_and_the_models_own_are_named(
    tmp_path: Path, languages: list[str], wanted: str | None, message: str
) -> None:
    write_tiny_translator(tmp_path / "tiny", source="poses", languages=languages)
    with pytest.raises(ConfigError, match=message):
        Translator(tmp_path / "tiny", language=wanted)


def test_a_long_recording_is_cut_translated_and_joined(packages: Path) -> None:
    pose = spelled("abc", "dabcab", "dabca", "b")
    assert pose.num_frames > MAX_SOURCE
    found = Translator(packages / "poses").translate(pose, search=Search(best=2))
    assert (found.text, found.num_pieces) == ("abc dabcab dabca b", 4)
    assert len(found.token_confidences) == len(found.tokens) + 1
    first, second = found.best
    assert first.score > second.score
    assert second.text != first.text


def test_many_sources_give_what_each_gives_alone(glosses: Translator) -> None:
    sources = ["REGEN", "SONNE NORD MORGEN", "ABEND REGEN"]
    for one, alone in zip(
        glosses.translate_many(sources), map(glosses.translate, sources), strict=True
    ):
        assert one.text == alone.text
        assert one.token_confidences == pytest.approx(alone.token_confidences)


def test_samples_tell_how_far_they_are_apart_and_a_seed_repeats_them(packages: Path) -> None:
    def translate(samples: int, seed: int = 0) -> signloom.Translation:
        translator = Translator(packages / "glosses", samples=samples, seed=seed)
        return translator.translate("REGEN SONNE")

    assert translate(0).spread == 0
    first, second = translate(3), translate(3)
    assert first.spread > 0
    assert first == second
    assert first.spread != translate(3, seed=1).spread
    assert (first.samples, first.seed) == (3, 0)


def test_an_ensemble_averages_its_members(tmp_path: Path, packages: Path) -> None:
    weights = {"sureness": np.array([-1.0], np.float32)}
    write_tiny_translator(tmp_path / "unsure", weights=weights, bayesian=False)
    members = [packages / "glosses", tmp_path / "unsure"]
    found = Translator(members).translate("NORD")
    alone = [Translator(one).translate("NORD").confidence for one in members]
    assert alone[1] < found.confidence < alone[0]
    assert found.spread > 0.1
    assert found.models == ("glosses", "unsure")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "features"}, "agree in `source`, but glosses and other have glosses and feat"),
        ({"languages": ["bfi"], "language": "bfi"}, "`languages`, but glosses and other have gsg"),
    ],
)
def test_an_ensemble_of_models_that_differ_is_refused(
    tmp_path: Path, packages: Path, changes: dict[str, object], message: str
) -> None:
    write_tiny_translator(tmp_path / "other", **changes)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=message):
        Translator([packages / "glosses", tmp_path / "other"])


def test_an_ensemble_of_two_vocabularies_is_refused(tmp_path: Path, packages: Path) -> None:
    words = (*WORDS[:-1], "nacht")
    write_tiny_translator(tmp_path / "other", words=words)
    with pytest.raises(ConfigError, match="share one vocabulary, but those of glosses and other"):
        Translator([packages / "glosses", tmp_path / "other"])


@pytest.mark.parametrize("missing", ["</s>", "<s>"])
def test_a_vocabulary_that_cannot_begin_or_end_is_refused(tmp_path: Path, missing: str) -> None:
    words = tuple(f"{word}!" if word == missing else word for word in WORDS)
    write_tiny_translator(tmp_path / "odd", words=words)
    with pytest.raises(PackageError, match=f"incomplete: .*{missing}"):
        Translator(tmp_path / "odd")


def test_a_model_of_another_system_is_refused(tmp_path: Path) -> None:
    write_tiny_package(tmp_path / "maker")
    with pytest.raises(PackageError, match="must be one of the system `translate`"):
        Translator(tmp_path / "maker")


def test_the_package_says_how_to_search_unless_one_asks_otherwise(tmp_path: Path) -> None:
    write_tiny_translator(tmp_path / "tuned", beam=3, length_penalty=0.5)
    translator = Translator(tmp_path / "tuned")
    assert translator.translate("NORD").beam == 3
    assert translator.translate("NORD").length_penalty == 0.5
    assert translator.translate("NORD", search=Search(best=5)).beam == 5
    asked = translator.translate("NORD", search=Search(beam=2, length_penalty=0.0))
    assert (asked.beam, asked.length_penalty) == (2, 0.0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"beam": 0}, "`beam` must be 1 to 64, but is 0"),
        ({"best": 65}, "`beam` must be 1 to 64, but is 65"),
        ({"beam": 2, "best": 3}, "`best` must be 1 to the beam of 2, but is 3"),
        ({"best": 0}, "must be 1 to"),
        ({"length_penalty": -1.0}, "`length_penalty` must be 0 to 10, but is -1"),
        ({"length_penalty": float("nan")}, "`length_penalty` must be"),
    ],
)
def test_a_search_out_of_range_is_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Search(**values)  # type: ignore[arg-type]


def test_a_text_is_a_path_where_no_glosses_are_read(packages: Path, tmp_path: Path) -> None:
    spelled("bad").save(tmp_path / "x.json")
    assert signloom.translate(str(tmp_path / "x.json"), packages / "poses").text == "bad"
    assert signloom.translate(tmp_path / "x.json", packages / "poses").text == "bad"


def test_glosses_that_are_not_known_are_named_in_a_warning(packages: Path) -> None:
    with pytest.warns(UserWarning, match="not known to the model: QUARK"):
        found = signloom.translate("QUARK NORD", packages / "glosses")
    assert found.unknown == ("QUARK",)


def test_the_default_model_is_looked_for_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from signloom.runtime.registry import DEFAULT_TRANSLATE_MODEL, known_packages

    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path))
    if DEFAULT_TRANSLATE_MODEL not in known_packages():
        write_tiny_translator(tmp_path / DEFAULT_TRANSLATE_MODEL, source="poses")
    assert Translator().packages[0].name == DEFAULT_TRANSLATE_MODEL
