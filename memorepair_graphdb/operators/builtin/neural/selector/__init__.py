"""Holds selector@1: a tool selector that forgets rows, learns corrected ones and drops retired tools (param).

The skill is a softmax regression on frozen features of requests. Its content is a manifest that pins the hash of its
blob, a safetensors file with the weights and, in its header, what they rest on. `register` puts it into a registry.
"""
