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


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.steps=0", "`training.steps` must be at least 1, but is 0."),
        ("training.steps=true", "must be no boolean, but is True"),
        ("training.interval=0", "`training.interval` must be at least 1"),
        ("training.validation_batches=0", "`training.validation_batches` must be at least 1"),
        ("training.seed=-1", "`training.seed` must be at least 0"),
        ("training.seed=2147483649", "`training.seed` must be at most 2147483648"),
        ("training.threads=-1", "`training.threads` must be at least 0"),
        ("training.warmup=-1", "`training.warmup` must be at least 0"),
        ("training.gradient_clip=0", "`training.gradient_clip` must be above 0"),
        ("training.weight_decay=-1", "`training.weight_decay` must be at least 0"),
        ("training.lr_max=0", "`training.lr_max` must be above 0"),
        ("training.lr_max=.inf", "`training.lr_max` must be finite"),
        ("training.lr_min=.nan", "`training.lr_min` must be finite"),
        ("training.accelerator=warp", "must be one of auto, cpu, gpu, mps, but is 'warp'"),
        ("model.dim=63", "`model.dim` must be even"),
        ("model.dim=66", "a multiple of `model.num_heads`, 4, but is 66"),
        ("model.dim=1.0e+9", "`model.dim` must be at most 4096"),
        ("model.num_heads=0", "`model.num_heads` must be at least 1"),
        ("model.encoder_layers=0", "`model.encoder_layers` must be at least 1"),
        ("model.ffn_dim=0", "`model.ffn_dim` must be at least 1"),
        ("model.dropout=1.1", "`model.dropout` must be at most 1"),
        ("model.dropout=.nan", "`model.dropout` must be finite"),
        ("model.velocity_span=-1", "`model.velocity_span` must be at least 0"),
        ("model={rich_semantics: true, velocity_span: 0}", "with `model.rich_semantics`"),
        ("model.max_frames=7", "`model.max_frames` must be at least 8"),
        ("model.levels=[]", "`model.levels` must be 1 to 100 group sizes"),
        ("model.levels=[8, true]", "must be no boolean"),
        ("model.levels=[-1]", "`model.levels` must be at least 0"),
        ("model.levels=[8, 0]", "all 0 or none"),
        ("model.levels=[512]", "at most `model.max_frames`, 300"),
        ("model.fusion=glue", "`model.fusion`"),
        ("task.batch_size=0", "`task.batch_size` must be at least 1"),
        ("task.pool=0", "`task.pool` must be at least 1"),
        ("task.white_noise=-0.1", "`task.white_noise` must be at least 0"),
        ("task.length_weight=.inf", "`task.length_weight` must be finite"),
        ("training.steps=2026-13-45", "must be YAML"),
        ("training.steps=&a [*a]", "aliases are not allowed"),
    ],
)
def test_a_value_out_of_range_is_refused(override: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe("produce/toy", [override])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["front_kernel", "kernel"])
def test_a_kernel_has_a_middle(name: str) -> None:
    with pytest.raises(ConfigError, match=f"`model.{name}` must be odd, but is 4"):
        load_recipe("judge/fingerspelling_ase", [f"model.{name}=4"])


def test_a_section_that_is_empty_takes_overrides(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("system: produce\nmodel:\n")
    assert load_recipe(str(path), ["model.dim=64"]).sections["model"].dim == 64


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"system: \xff\n", "UTF-8"),
        (b"[" * 20_000, "more than 20 levels"),
        (b"system: produce\nmodel: &m {dim: *m}\n", "line 2: aliases are not allowed"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "aliases are not allowed"),
        (b"system: produce\ntraining: {steps: 2026-13-45}\n", "must be YAML"),
        (b"system: !!bool maybe\n", "must be YAML"),
        (b"system: !!python/object/apply:os.getcwd []\n", "must be YAML"),
        (b"#" * 1_000_001, "at most 1000000 bytes"),
    ],
)
def test_a_hostile_file_is_refused_in_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"bad\.yaml") as caught:
        load_recipe(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
