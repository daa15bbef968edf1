"""Derives RUNS QRELS in a process of its own; prints CPU seconds and the peak of memory in MB."""

import json
import resource
import sys
import time

from lib.collection import derive

begin = time.process_time()
derive(sys.argv[1], sys.argv[2])
seconds = time.process_time() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts kilobytes
print(json.dumps({"seconds": seconds, "megabytes": peak}))
