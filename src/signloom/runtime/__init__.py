"""Run model packages with numpy and ONNX Runtime; nothing here imports torch."""
