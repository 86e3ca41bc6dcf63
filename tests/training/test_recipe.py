from pathlib import Path

import pytest

from signloom.errors import ConfigError
from signloom.training.recipe import from_dict, load_recipe, recipe_names


@pytest.mark.parametrize("name", recipe_names())
def test_every_recipe_that_is_shipped_loads(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert recipe.system == name.split("/")[0]


def test_an_override_reaches_its_field() -> None:
    recipe = load_recipe("produce/toy", ["model.levels=[4, 2]", "training.steps=7"])
    assert recipe.sections["model"].levels == (4, 2)
    assert recipe.training.steps == 7


def test_plain_data_gives_the_same_recipe_back() -> None:
    recipe = load_recipe("produce/toy", ["model.rich_semantics=true"])
    assert from_dict(recipe.to_dict(), name=recipe.name) == recipe


def test_an_unknown_key_is_named_with_its_line_and_the_nearest_known(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("system: produce\nmodel:\n  dim: 8\n  level: [4]\n")
    with pytest.raises(ConfigError) as caught:
        load_recipe(str(path))
    assert str(caught.value) == (
        "Unknown key `model.level` in mine.yaml line 4. Did you mean `levels`?"
    )


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("model.dim=wide", "`model.dim`"),
        ("training.steps=[]", "`training.steps`"),
        ("model=3", "`model`"),
        ("nonsense", "section.key=value"),
        ("=3", "section.key=value"),
        ("model.dim.x=3", "holds no keys"),
        ("system=magic", "`system` must be one of"),
        ("modell.dim=3", "Did you mean `model`?"),
        ("model.dim={", "must be YAML"),
    ],
)
def test_a_bad_override_is_refused(override: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe("produce/toy", [override])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a list\n", "system: [produce]\n", "a: b: c\n"])
def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"bad\.yaml"):
        load_recipe(str(path))


@pytest.mark.parametrize("name", ["produce/nothing", "../toy", "/etc/passwd", "missing.yaml"])
def test_an_unknown_recipe_lists_the_known(name: str) -> None:
    with pytest.raises(ConfigError, match="produce/toy"):
        load_recipe(name)
