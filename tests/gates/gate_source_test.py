#!/usr/bin/env python3
"""Each rule of gate_source.py finds what it is for, and lets pass what is allowed."""
import pathlib
import sys
import tempfile

import gate_source

PATH = "/" + "work" + "/x"
LONG = "int a;\n" * 501
LONG_FUNCTION = "void f(void)\n{\n" + "  g();\n" * 80 + "}\n"
# rule, file, content, whether the rule finds it
CASES = [
    ("include_directions", "core/kernels/sqk_a.h", '#include "sqi_alloc.h"\n', True),
    ("include_directions", "core/kernels/sqk_a.h", '#include "sqk_b.h"\n#include <math.h>\n', False),
    ("include_directions", "core/include/spatialqueries/sq_a.h", '#include "sqk_b.h"\n', True),
    ("include_directions", "core/src/sqi_a.c", '#include "vtkObject.h"\n', True),
    ("include_directions", "core/src/sqi_a.c", '#include "../../tests/unit/sq_test.h"\n', True),
    ("include_directions", "core/src/sqi_a.c", '#include "sqk_b.h"\n#include <sys/mman.h>\n', False),
    ("include_directions", "plugin/Filters/vtkSQA.cxx", '#include "sqi_alloc.h"\n', True),
    ("include_directions", "plugin/Filters/vtkSQA.cxx", '#include "spatialqueries/sq_surface.h"\n#include <vector>\n', False),
    ("include_directions", "tests/oracle/orc_a.c", '#include "spatialqueries/sq_types.h"\n', True),
    ("include_directions", "tests/oracle/orc_a.c", '#include "sqk_shape.h"\n', True),
    ("no_vtk_in_core", "core/src/sqi_a.c", "vtkIdType a;\n", True),
    ("no_vtk_in_core", "core/CMakeLists.txt", "target_link_libraries(a VTK::CommonCore)\n", True),
    ("no_vtk_in_core", "core/src/sqi_a.c", "/* as vtkIdType */\nint a;\n", False),
    ("core_habits", "core/src/sqi_a.c", "#pragma omp parallel\n", True),
    ("core_habits", "core/src/sqi_parallel.c", "#pragma omp parallel\n", False),
    ("core_habits", "core/src/sqi_a.c", "a = malloc(3);\n", True),
    ("core_habits", "core/src/sqi_a.c", "sqi_free(c, a, 3, 4);\n", False),
    ("core_habits", "core/kernels/sqk_a.h", '  printf("x");\n', True),
    ("core_habits", "core/src/sqi_a.c", '  snprintf(a, 3, "x");\n', False),
    ("core_habits", "core/src/sqi_a.c", "  exit(1);\n", True),
    ("build_flags", "core/CMakeLists.txt", "target_compile_options(a PRIVATE -march=native)\n", True),
    ("build_flags", "CMakePresets.json", '"-O3 -ffast-math"\n', True),
    ("build_flags", "core/CMakeLists.txt", "file(GLOB a *.c)\n", True),
    ("build_flags", "core/CMakeLists.txt", "# no -ffast-math\n", False),
    ("sizes", "core/src/sqi_a.c", LONG, True),
    ("sizes", "core/src/sqi_a.c", LONG[:-7], False),
    ("sizes", "core/src/sqi_a.c", LONG_FUNCTION, True),
    ("sizes", "core/src/sqi_a.c", LONG_FUNCTION.replace("  g();\n", "", 3), False),
    ("file_names", "core/src/sqi_twin.c", "\n", True),
    ("file_names", "core/src/sqi_single.c", "\n", False),
    ("nothing_stray", "sqi_a.o", "x", True),
    ("nothing_stray", "core/src/sqi_a.o", "x", True),
    ("nothing_stray", "NOTES.txt", "x", True),
    ("nothing_stray", "core/src/sqi_a.c", "x", False),
    ("nothing_stray", "build/core/sqi_a.o", "x", False),
    ("no_machine_paths", "scripts/a.sh", f"cd {PATH}\n", True),
    ("no_machine_paths", "scripts/a.sh", "cd build" + PATH + "\n", False),
]


def main():
    failed = 0
    for rule, name, content, wanted in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for each in [name] + (["tests/unit/sqi_twin.c"] if "twin" in name else []):
                (root / each).parent.mkdir(parents=True, exist_ok=True)
                (root / each).write_text(content)
            found = list(gate_source.RULES[rule](root))
        if bool(found) != wanted:
            failed += 1
            print(f"{rule} on {name}: found {found}, want {'something' if wanted else 'nothing'}\n{content[:200]}")
    for rule in gate_source.RULES:
        if not any(case[0] == rule and case[3] for case in CASES):
            failed += 1
            print(f"no case shows that {rule} can fail")
    print(f"{failed} of {len(CASES)} cases failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
