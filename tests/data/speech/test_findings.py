from __future__ import annotations

import json
import shutil

import numpy as np

from signloom.data.speech.findings import listen_to
from signloom.data.speech.readers.registry import open_speech
from tests.data.speech.small_speech import RATE, claims, write_lines, write_speech
from tests.small_sounds import write_recording


def write_list(folder, *lines: dict) -> None:
    write_lines(folder / "all.jsonl", *(json.dumps({"split": "train"} | line) for line in lines))


def test_every_recording_is_heard_and_what_is_wrong_is_named(tmp_path) -> None:
    for name in "abcdef":
        write_speech(tmp_path / f"{name}.wav")
    (tmp_path / "b.wav").write_text("no sound")
    write_recording(tmp_path / "c.wav", np.zeros(2000), RATE)
    shutil.copy(tmp_path / "a.wav", tmp_path / "d.wav")
    write_list(
        tmp_path,
        {"audio": "a.wav", "text": "one", "duration": 0.3},
        {"audio": "b.wav", "text": "one"},
        {"audio": "c.wav", "text": "one"},
        {"audio": "d.wav", "text": "one", "split": "test"},
        {"audio": "e.wav", "text": "one", "duration": 0.6},
        {"audio": "f.wav", "text": "?", "id": "question"},
        {"audio": "f.wav", "text": "one", "id": "part", "offset": 0.1, "duration": 0.9},
        {"audio": "no.wav", "text": "one"},
    )
    findings = listen_to(open_speech("jsonl", tmp_path))
    assert [entry.name for entry in findings.seen] == ["a.wav", "d.wav"]
    expected = {
        2: "b.wav must be a recording of sound, but is none that can be decoded",
        3: "c.wav must hold sound, but is silent throughout",
        4: "has the same sound as 'a.wav' of",
        5: "'e.wav' must have 0.6 s, but has 0.30",
        6: "must say something, but of '?' nothing is left",
        7: "'part' goes from 0.1 to 1 s, but",
        8: "names 'no.wav', but",
    }
    found = claims(findings.faults)
    assert found.keys() == expected.keys()
    for line, claim in expected.items():
        assert claim in found[line]
    assert found[4].endswith(", across train and test")


def test_damage_and_what_training_lacks_are_remarks(tmp_path) -> None:
    for name in "abc":
        path = write_speech(tmp_path / f"{name}.wav")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    write_list(
        tmp_path,
        {"audio": "a.wav", "text": "温度"},
        {"audio": "b.wav", "text": "温度", "split": "dev"},
        {"audio": "c.wav", "text": "两度 两 设", "split": "test"},
    )
    findings = listen_to(open_speech("jsonl", tmp_path))
    assert findings.faults == []
    cut, same, lacking = (str(remark) for remark in findings.remarks)
    assert "line 3: " in cut
    assert "is damaged or cut short: 0.15 of 0.30 s could be decoded" in cut
    assert same.endswith("all.jsonl: 1 of 1 texts of dev occur in train, too")
    assert lacking.endswith("test has 2 characters that train lacks: 两 (2), 设 (1)")


def test_an_empty_list_is_a_fault(tmp_path) -> None:
    (tmp_path / "all.jsonl").touch()
    [fault] = listen_to(open_speech("jsonl", tmp_path)).faults
    assert "must list at least one utterance, but lists none" in fault.message


def test_progress_is_told(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    write_list(tmp_path, *({"audio": "a.wav", "text": "one", "id": str(n)} for n in range(3)))
    told = []
    listen_to(open_speech("jsonl", tmp_path), advance=told.append)
    assert told == [1, 1, 1]
