"""Runs a program of the agent with the paths of its workbooks, as if it were started by itself."""

import linecache
import os
import sys
import traceback
import types

NAME = "program.py"


def run(source):
    # Traces quote the program's lines from here.
    linecache.cache[NAME] = (len(source), None, source.splitlines(True), NAME)
    program = types.ModuleType("__main__")
    program.__file__ = NAME
    program.INPUT_PATH = os.path.abspath("input.xlsx")
    program.OUTPUT_PATH = os.path.abspath("output.xlsx")
    sys.modules["__main__"] = program
    sys.argv = [NAME]
    try:
        exec(compile(source, NAME, "exec", dont_inherit=True), program.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        # The first frame is this file's.
        traceback.print_exception(type(error), error, error.__traceback__.tb_next)
        sys.exit(1)


