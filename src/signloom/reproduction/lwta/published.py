"""What the papers print: BLEU-4 on the test set of PHOENIX-2014-T, from videos unless said.

LWTA transformer, tables 1, 2 and 4. Its features of the videos were never published, and its
transformers are four times as wide as those trained here: the figures do not compare with ours.
"""

from __future__ import annotations

TABLE_1 = {
    "S2T transformer (Camgöz et al. 2020)": 20.17,
    "S2(G+T) transformer (Camgöz et al. 2020)": 21.80,
    "S2G2T ensemble (Yin and Read 2020)": 25.40,
    "LWTA (2-2)": 23.65,
    "LWTA, ensemble of 8": 25.59,
}
"""Table 1 and its own best."""
TABLE_2 = {2: 23.65}
"""By depth; the text of the paper names the best one alone."""
TABLE_4 = {8: 25.59}
"""By members of an ensemble."""
BITS = 10
"""Fewer bits a weight than this on average (table 3)."""
