#!/usr/bin/env python3
"""The library and the C tests compile with clang, too, without a warning. Usage: gate_clang.py BUILD_FOLDER

Takes each file's own command from compile_commands.json, so that what the build defines is defined here.
"""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys


def clang_command(clang, command):
    words = shlex.split(command)
    out = words.index("-o")
    kept = [w for i, w in enumerate(words) if i not in (0, out, out + 1) and not w.startswith(("-M", "-fsanitize"))]
    kept = [w for w in kept if not w.endswith(".o.d") and not w.endswith(".o")]
    # Clang counts the constants INFINITY and NAN as promoted floats; GCC's build is the one that asks for this warning.
    return [clang, *kept, "-Werror", "-Wno-unknown-warning-option", "-Wno-double-promotion", "-fsyntax-only"]


def main():
    clang = shutil.which("clang")
    if not clang:
        print("SKIPPED: clang is not installed")
        sys.exit(77)
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
    ours = [e for e in entries if e["file"].endswith(".c") and ("/core/src/" in e["file"] or "/tests/" in e["file"])]
    if not ours:
        sys.exit("no C file in compile_commands.json")
    failed = 0
    for entry in ours:
        done = subprocess.run(clang_command(clang, entry["command"]), cwd=entry["directory"], capture_output=True, text=True)
        if done.returncode:
            failed += 1
            print(f"{entry['file']}:\n{done.stderr}")
    print(f"{failed} of {len(ours)} files do not compile")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
