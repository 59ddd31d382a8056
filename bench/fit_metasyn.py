"""Fits a CSV file with metasyn and writes what it found. `fit_metasyn.py DATA OUTPUT`"""

import sys

import polars
from metasyn import MetaFrame

data = polars.read_csv(sys.argv[1], try_parse_dates=True, infer_schema_length=10_000)
MetaFrame.fit_dataframe(data).save(sys.argv[2])
