"""How high a voice is and how surely it is one: Kaldi's pitch features, in NumPy.

Ghahremani et al., "A pitch extraction algorithm tuned for automatic speech recognition" (ICASSP
2014). The sound is brought to 4 kHz (`downsampling`), each frame is correlated with itself at lags
of 50 to 400 Hz (`correlation`, `lags`), the smoothest path through the best lags is found
(`tracking`) and made into three features (`processing`). `extract` runs it all.

Differs from the paper, as Kaldi does: the signal is not scaled to a constant energy, the ballast
is scaled by its energy instead.
"""
