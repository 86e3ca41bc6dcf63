"""STAMF: signing to glosses or letters, from keypoints, pictures or both (CTC)."""
