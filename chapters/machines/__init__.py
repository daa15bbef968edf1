"""Judged by machines: the Deep Learning tracks of 2019 and 2021, judged by people and by models."""
