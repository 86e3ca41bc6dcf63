"""A captioner's session is a stepper of groups, and is refused where its graphs do not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.errors import ConfigError, PackageError
from signloom.runtime.captioner import CaptionerSession
from signloom.search.draws import Sources
from signloom.search.groups import GroupStepper
from tests.tiny_captioner import GROUP, TOKENS, write_tiny_captioner

GREEN, BLUE = np.eye(3, dtype=np.float32)[[1, 2]]


def test_it_writes_a_group_a_step_of_what_each_row_shows(tmp_path: Path) -> None:
    session = CaptionerSession(write_tiny_captioner(tmp_path / "eye"))
    assert isinstance(session, GroupStepper)
    assert (session.group, session.num_tokens) == (GROUP, len(TOKENS))
    shown = np.stack([np.tile(one, (3, 1)) for one in (GREEN, BLUE)])
    state = session.begin(Sources(shown, np.array([3, 3])))
    logits, state = session.step(np.full((2, GROUP), 2), state)
    said = [[TOKENS[each] for each in row] for row in logits.argmax(axis=-1)]
    assert said == [["a", "green"], ["a", "blue"]]
    state = session.reorder(state, np.array([1, 0, 1]))
    logits, state = session.step(np.full((3, GROUP), 4), state)
    assert [TOKENS[each] for each in logits[2].argmax(axis=-1)] == ["picture", "</s>"]
    assert state.position == 2 * GROUP


def test_one_of_features_has_nothing_to_look_with(tmp_path: Path) -> None:
    session = CaptionerSession(write_tiny_captioner(tmp_path / "blind", has_image_network=False))
    with pytest.raises(ConfigError, match="but blind has none"):
        session.look(np.zeros((1, 224, 224, 3), np.uint8))


def test_an_image_network_that_gives_more_than_the_settings_say_is_refused(tmp_path: Path) -> None:
    package = write_tiny_captioner(tmp_path / "few", positions=3)
    with pytest.raises(PackageError, match=r"at most 3 positions of 3 features, but .* \[4, 3\]"):
        CaptionerSession(package)
