"""Spell a phrase and look at what comes back: a pose, joint by joint.

The default model fingerspells: no face, no mouth, no grammar.
"""

import signloom

pose = signloom.produce("hello new york")

print(f"{pose.num_frames} frames at {pose.fps:g} per second, {pose.duration_s:.1f} s")

wrist = pose.skeleton.joints.index("right_wrist")
highest = pose.frames[:, wrist, 1].argmin()  # y points down
print(f"the right wrist is highest at {highest / pose.fps:.1f} s")

pose.save("phrase.pose")
again = signloom.Pose.load("phrase.pose")
print(f"phrase.pose holds {again.num_frames} frames of {len(again.skeleton.joints)} joints")
