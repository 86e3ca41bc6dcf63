"""Sign poses to letters: a small CTC recogniser, the judge of produced fingerspelling."""
