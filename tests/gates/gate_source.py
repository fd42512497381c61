#!/usr/bin/env python3
"""Rules of the house that a reader of the sources can check. Usage: gate_source.py RULE ROOT

Prints every place that breaks the rule and exits with 1 if there is one. gate_source_test.py shows that each rule can fail.
"""
import pathlib
import re
import sys

SOURCES = {".c", ".h", ".cxx", ".cu", ".cuh"}
TEXTS = SOURCES | {".py", ".sh", ".cmake", ".txt", ".md", ".xml", ".json", ".in", ".yml", ""}
SKIPPED = re.compile(r"^(build|demo|bench-results|shared|\.git|__pycache__)")
# Data may be as long as it is.
DATA = re.compile(r"^(sample_data/[^/]*\.(vt.|stl)|tests/data/)")


def files(root, suffixes):
    """All files of the tree with one of the suffixes, as (path from the root, lines)."""
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if any(SKIPPED.match(part) for part in relative.parts) or not path.is_file():
            continue
        if path.suffix in suffixes:
            try:
                yield relative.as_posix(), path.read_text(encoding="utf-8").split("\n")
            except UnicodeDecodeError:
                pass


def without_comments(lines):
    """The lines with comments and string literals blanked, so that rules look at code only."""
    text = "\n".join(lines)
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', blank, text, flags=re.S)
    return text.split("\n")


def includes(lines):
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1)


# Folder -> what it may include besides the C and C++ standard libraries; the first prefix that fits counts.
DIRECTIONS = [
    ("core/include/", r"spatialqueries/"),
    ("core/kernels/", r"spatialqueries/|sqk_"),
    ("core/src/", r"spatialqueries/|sqk_|sqi_|omp\.h|sys/|unistd\.h|immintrin\.h|x86intrin\.h|"
     r"dirent\.h|fcntl\.h|jansson\.h"),
    ("cuda/", r"spatialqueries/|sqk_|sqc_|sqi_backend\.h|cuda|thrust/|cub/"),
    ("plugin/", r"spatialqueries/|vtk|vtkSQ|pq|Q|sys/|unistd\.h"),
    ("tests/oracle/orc_", r"orc_"),
]
STANDARD = re.compile(
    r"^(assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|"
    r"stdbool|stddef|stdint|stdio|stdlib|string|tgmath|threads|time|wchar)\.h$|^[a-z_]+$")


def rule_include_directions(root):
    for name, lines in files(root, SOURCES):
        for prefix, allowed in DIRECTIONS:
            if name.startswith(prefix):
                for number, target in includes(lines):
                    base = target if target.startswith("spatialqueries/") else target.split("/../")[-1]
                    if ".." in target or not (re.match(allowed, base) or STANDARD.match(base)):
                        yield f"{name}:{number}: includes {target}"
                break


def rule_no_vtk_in_core(root):
    for name, lines in files(root, TEXTS):
        if name.startswith("core/") and not name.endswith(".md"):
            for number, line in enumerate(lines if name.endswith(".txt") else without_comments(lines), 1):
                if re.search(r"vtk[A-Z]|VTK::|ParaView::|#\s*include.*vtk", line):
                    yield f"{name}:{number}: {line.strip()}"


FORBIDDEN_IN_CORE = [
    (r"#\s*pragma\s+omp|#\s*include\s*<omp\.h>|\bomp_\w+\s*\(", {"core/src/sqi_parallel.c"}, "OpenMP"),
    (r"\b(malloc|calloc|realloc|free|posix_memalign|aligned_alloc|strdup)\s*\(", {"core/src/sqi_alloc.c"}, "memory"),
    (r"\b(abort|exit|_Exit|quick_exit|longjmp|printf|fprintf|vprintf|vfprintf|puts|putchar|fputs|perror)\s*\(", set(),
     "ends or prints"),
    (r"\b(rand|srand|drand48|random|time)\s*\(", set(), "not reproducible"),
    (r"#\s*pragma\s+GCC\s+optimize|__attribute__\s*\(\(\s*optimize|-ffast-math", set(), "changes the arithmetic"),
]


def rule_core_habits(root):
    for name, lines in files(root, SOURCES):
        if not name.startswith("core/"):
            continue
        for number, line in enumerate(without_comments(lines), 1):
            for pattern, allowed, what in FORBIDDEN_IN_CORE:
                if name not in allowed and re.search(pattern, line):
                    yield f"{name}:{number}: {what}: {line.strip()}"


def rule_build_flags(root):
    bad = re.compile(r"-march=native|-mtune=native|-mcpu=native|-ffast-math|-Ofast|-funsafe-math|-ffp-contract=(fast|on)|--use_fast_math|"
                     r"file\(\s*GLOB|FetchContent|ExternalProject|file\(\s*DOWNLOAD", re.I)
    for name, lines in files(root, TEXTS):
        if name.endswith(("CMakeLists.txt", ".cmake", "CMakePresets.json", ".sh", ".ci/run")):
            for number, line in enumerate(lines, 1):
                if bad.search(line.split("#")[0]):
                    yield f"{name}:{number}: {line.strip()}"


def functions(lines):
    """(first line, length) of every function of a file in Allman style: from its brace in column 0 to the closing one."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start is not None:
            if line.rstrip() == "}":
                yield start, number - start + 1
            start = None


def rule_sizes(root):
    for name, lines in files(root, SOURCES | {".py", ".sh", ".cmake", ".txt"}):
        if DATA.match(name):
            continue
        count = len(lines) - (lines[-1] == "")
        limit = 300 if name.endswith(".h") and name.startswith("plugin/") else 500
        if count > limit:
            yield f"{name}: {count} lines, {limit} are allowed"
        if pathlib.PurePosixPath(name).suffix in SOURCES:
            for start, length in functions(without_comments(lines)):
                if length > 80:
                    yield f"{name}:{start}: a function of {length} lines, 80 are allowed"


def rule_file_names(root):
    common = {"CMakeLists.txt", "README.md", "vtk.module", "paraview.plugin", "__init__.py"}
    seen = {}
    for name, _ in files(root, TEXTS):
        base = pathlib.PurePosixPath(name).name
        if base in common:
            continue
        if base in seen:
            yield f"{name}: the same file name as {seen[base]}"
        seen[base] = name


# Joined here so that this file does not hold what it looks for.
MACHINE = re.compile("(?<![\\w.$}])/(" + "|".join(["work", "tmp", "home", "root", "Users"]) + ")/(?!\\*)")


def rule_no_machine_paths(root):
    for name, lines in files(root, TEXTS):
        for number, line in enumerate(lines, 1):
            if MACHINE.search(line):
                yield f"{name}:{number}: {line.strip()}"


TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".clang-format",
             ".clang-tidy", ".gitignore", ".gitattributes", ".git", ".ci", "filters.xml", "core", "cuda", "plugin", "tests",
             "sample_data", "scripts", "docs", "compile_commands.json"}


def rule_nothing_stray(root):
    for path in sorted(root.iterdir()):
        if path.name not in TOP_LEVEL and not SKIPPED.match(path.name) and not path.is_symlink():
            yield f"{path.name}: does not belong at the top level"
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.suffix in {".o", ".a", ".so", ".orig", ".rej", ".swp"} and not any(SKIPPED.match(p) for p in relative.parts):
            yield f"{relative.as_posix()}: a file that a tool left behind"


RULES = {name[5:]: rule for name, rule in list(globals().items()) if name.startswith("rule_")}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in RULES:
        sys.exit(f"usage: gate_source.py {'|'.join(RULES)} ROOT")
    found = list(RULES[sys.argv[1]](pathlib.Path(sys.argv[2])))
    print("\n".join(found) or "clean")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
