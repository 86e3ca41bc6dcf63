"""Chance by key: the noise of a posterior sample follows from what it is for, not from when.

Every draw comes from a Philox generator (Salmon et al. 2011) of its own, keyed by all that the
draw belongs to. So a batch draws what each sentence alone draws, step by step is the same as all
at once, and two programs that run one model agree.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from signloom.search.slots import Floats

Side = Literal[0, 1]
ENCODER: Side = 0
DECODER: Side = 1
_NUMBERS_A_COUNT = 8
"""Numbers of 32 bits that Philox 4x64 gives for each value of its counter."""


def sentence_key(data: bytes) -> int:
    """Make 64 bits of a sentence's own source: BLAKE2b of its bytes, without padding.

    Example:
        >>> hex(sentence_key(b"MORGEN REGEN"))
        '0x7ead6c280f5a9c68'
    """
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def weight_noise(name: str, shape: tuple[int, ...], *, seed: int, sample: int) -> Floats:
    """Draw the standard normal numbers of one tensor of weights.

    Args:
        name: Name of the tensor.
        shape: Its shape.
        seed: Seed of the run.
        sample: Number of the posterior sample, from 0.

    Example:
        >>> weight_noise("head", (2, 3), seed=1, sample=0).shape
        (2, 3)
    """
    generator = np.random.Generator(_philox(f"weights {seed} {sample} {name}"))
    return generator.standard_normal(shape, dtype=np.float32)


def winner_noise(
    first: int, count: int, *, units: int, side: Side, sentence: int, seed: int, sample: int
) -> Floats:
    """Draw the Gumbel noise `-ln(-ln u)` that decides the winners at some positions of a sentence.

    The unit of a block with the largest `h + noise` is then a draw from the softmax of `h`.

    Args:
        first: First position, from 0.
        count: Positions; what one gets does not depend on how many are drawn at once.
        units: Units of all layers of this side.
        side: Encoder or decoder.
        sentence: `sentence_key` of the source.
        seed: Seed of the run.
        sample: Number of the posterior sample, from 0.

    Returns:
        Noise [count, units].

    Example:
        >>> key = {"units": 5, "side": DECODER, "sentence": 77, "seed": 1, "sample": 0}
        >>> bool((winner_noise(2, 1, **key) == winner_noise(0, 3, **key)[2:]).all())
        True
    """
    counts = -(-units // _NUMBERS_A_COUNT)
    philox = _philox(f"winners {side} {seed} {sample} {sentence}", counter=first * counts)
    raw = philox.random_raw(count * counts * _NUMBERS_A_COUNT // 2)
    noise = gumbel(raw.astype("<u8", copy=False).view("<u4"))
    return np.ascontiguousarray(noise.reshape(count, counts * _NUMBERS_A_COUNT)[:, :units])


def gumbel(bits: npt.NDArray[np.uint32]) -> Floats:
    """Turn random bits into Gumbel noise, in their own memory.

    Example:
        >>> gumbel(np.array([0, 2**31, 2**32 - 1], np.uint32)).astype(float).round(3).tolist()
        [-2.812, 0.367, 16.636]
    """
    # 23 bits as the fraction of a number from 1 to 2; a half of the last one more, and the uniform
    # number is the middle of an interval: exact in single precision, and never 0 or 1.
    bits >>= np.uint32(9)
    bits |= np.uint32(0x3F800000)
    noise = bits.view(np.float32)
    noise -= np.float32(1)
    noise += np.float32(2**-24)
    for _ in range(2):
        np.log(noise, out=noise)
        np.negative(noise, out=noise)
    return noise


class _Key(ISeedSequence):
    """A Philox key as it is; given as `key=`, numpy would ask the system for entropy each time."""

    def __init__(self, words: npt.NDArray[np.uint64]) -> None:
        self.words = words

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> npt.NDArray[Any]:
        return self.words


def _philox(purpose: str, *, counter: int = 0) -> np.random.Philox:
    digest = hashlib.blake2b(purpose.encode(), digest_size=16).digest()
    words = np.frombuffer(digest, dtype="<u8").astype(np.uint64)
    key: Any = _Key(words)  # the stubs of numpy know seed sequences of its own only
    return np.random.Philox(key, counter=counter)
