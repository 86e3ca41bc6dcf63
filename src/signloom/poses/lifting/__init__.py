"""From keypoints in the image to joints in space: outliers, gaps, bone lengths, depth."""
