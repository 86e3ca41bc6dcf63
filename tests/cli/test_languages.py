"""`signloom languages` and `--language`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_every_language_is_listed_with_its_letters_and_its_model(run: Run) -> None:
    facts = {fact["code"]: fact for fact in json.loads(run("languages", "--json").stdout)}
    assert len(facts) == 20
    assert facts["ukl"]["look_alikes"] == [["і", "ї"], ["ш", "щ"]]
    assert facts["ise"]["hand"] == "left"
    assert facts["ase"]["model"].startswith("produce-fingerspelling-ase-v")
    assert facts["fsl"]["train"] is None
    assert facts["swl"]["train"].endswith("corpus.language=swl")


def test_people_read_a_list(run: Run) -> None:
    done = run("languages")
    assert done.code == 0
    assert "ukl  Ukrainian Sign Language (uk), right hand" in done.stdout
    assert "alike: і/ї, ш/щ" in done.stdout


def test_a_language_without_a_model_names_those_that_have_one(run: Run) -> None:
    done = run("produce", "hi", "--language", "swl", "--json")
    assert done.code == 2
    assert "for the language 'swl', but known are ase" in done.stderr


def test_a_model_of_another_language_is_refused(run: Run) -> None:
    done = run("produce", "hi", "--model", "tiny", "--language", "gsg", "--json")
    assert (done.code, done.stdout) == (2, "")
    assert "must be one of the language 'gsg', but tiny is one of `ase`" in done.stderr


def test_speed_hand_and_subtitles(run: Run) -> None:
    plain = json.loads(run("produce", "hi you", "--model", "tiny", "--json").stdout)
    manner = ("--speed", 2, "--mirror", "--subtitle", "x.srt")
    done = json.loads(run("produce", "hi you", "--model", "tiny", *manner, "--json").stdout)
    assert done["num_frames"] == round(plain["num_frames"] / 2)
    assert (done["speed"], done["mirrored"], done["outputs"]) == (2.0, True, ["x.srt"])
    assert Path("x.srt").read_text().count("-->") == 2


def test_glosses_need_a_model_of_glosses(run: Run) -> None:
    done = run("produce", "HI", "--model", "tiny", "--gloss", "--json")
    assert done.code == 2
    assert "--gloss must go with a model that takes glosses, but tiny takes letters" in done.stderr


def test_a_bad_manner_is_refused_before_anything_is_written(run: Run) -> None:
    for wrong in (("--speed", "9"), ("--speed", "fast"), ("--subtitle", "x.txt")):
        assert run("produce", "hi", "--model", "tiny", *wrong, "-o", "x.pose").code == 2
    assert list(Path().iterdir()) == []


def test_a_batch_takes_the_same_manner(run: Run) -> None:
    Path("texts.txt").write_text("hi\nyou\n")
    done = run("produce", "--batch", "texts.txt", "out", "--model", "tiny", "--speed", 2, "--json")
    plain = json.loads(run("produce", "hi", "--model", "tiny", "--json").stdout)
    produced = json.loads(done.stdout)["produced"]
    assert produced[0]["num_frames"] == round(plain["num_frames"] / 2)


def test_a_spoken_language_is_answered_with_the_sign_languages_that_spell_it(run: Run) -> None:
    done = run("produce", "hi", "--language", "de", "--json")
    assert "Did you mean asq or gsg or sgg?" in done.stderr
