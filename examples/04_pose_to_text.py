"""Read a pose back to text, and ask how sure the model is of every letter.

The default model reads fingerspelling, letter by letter: it knows no signs and no grammar.
"""

import signloom

pose = signloom.produce("hello new york")
found = signloom.translate(pose, best=3)

print(f"{found.text!r}, {found.confidence:.0%} sure, {found.kind}, by {found.models[0]}")
for letter, confidence in zip(found.tokens, found.token_confidences, strict=False):
    print(f"  {letter!r:8} {confidence:.3f}")
for other in found.best[1:]:
    print(f"or {other.text!r}, {other.confidence:.0%} sure")

# Many at once: the model stays open, and recordings of like length are read together.
translator = signloom.Translator()
words = ("streaming", "weather", "mississippi")
for word, read in zip(
    words, translator.translate_many([signloom.produce(word) for word in words]), strict=True
):
    print(f"{word} reads {read.text}: {'right' if read.text == word else 'wrong'}")

# What is not certain differs from one posterior sample to the next.
sampled = signloom.translate(pose, samples=4, seed=1)
print(f"{sampled.text!r}: the samples are {sampled.spread:.3f} apart")
