"""Log-mel filterbanks as Kaldi computes them, by kaldi-native-fbank.

Windows of 25 ms begin every 10 ms; a window that the sound does not fill gives no frame.
"""

from __future__ import annotations

import kaldi_native_fbank
import numpy as np
from numpy.typing import NDArray

WINDOW_S, SHIFT_S = 0.025, 0.010
INT16_SCALE = 32768.0
"""Kaldi reads whole numbers of 16 bits."""


def fbank(samples: NDArray[np.float32], *, rate: int, num_mels: int = 80) -> NDArray[np.float32]:
    """Compute log-mel energies, without dither.

    Args:
        samples: Sound from -1 to 1 [samples].
        rate: Samples a second.
        num_mels: Filters from 20 Hz to half the rate.

    Returns:
        Natural logarithms of energies [frames, num_mels].
    """
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.samp_freq = rate
    options.frame_opts.dither = 0.0
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = num_mels
    computer = kaldi_native_fbank.OnlineFbank(options)
    computer.accept_waveform(rate, samples * np.float32(INT16_SCALE))
    computer.input_finished()
    frames = [computer.get_frame(place) for place in range(computer.num_frames_ready)]
    return np.stack(frames) if frames else np.zeros((0, num_mels), dtype=np.float32)
