"""Exploring with many processes, on one machine or on several: the same answers, in more memory."""
