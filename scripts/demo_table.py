"""The demo's table: what every step worked on, how long it took, and how wrong it was."""

COLUMNS = [("step", "<32"), ("input", "<26"), ("points", ">10"), ("build s", ">8"), ("query s", ">8"),
           ("queries/s", ">11"), ("valid", ">10"), ("mean |error|", ">12"), ("max |error|", ">11")]


class Table:
    def __init__(self):
        self.rows = []

    def add(self, step, source, points, build=None, query=None, valid=None, errors=None, against=""):
        """`errors` is an array of |error| against what `against` says; None where nothing exact is known."""
        rate = points / query if query else None
        mean = largest = None
        if errors is not None and len(errors):
            mean, largest = float(errors.mean()), float(errors.max())
        self.rows.append(([step, source, points, build, query, rate, valid, mean, largest], against))

    def text(self):
        lines = ["  ".join(format(name, align) for name, align in COLUMNS)]
        lines.append("  ".join("-" * len(format("", align)) for _, align in COLUMNS))
        notes = []
        for values, against in self.rows:
            mark = ""
            if against:
                if against not in notes:
                    notes.append(against)
                mark = " [%d]" % (notes.index(against) + 1)
            cells = [format(cell_text(value, name), align)
                     for value, (name, align) in zip(values, COLUMNS)]
            lines.append("  ".join(cells) + mark)
        lines += ["[%d] %s" % (i + 1, note) for i, note in enumerate(notes)]
        return "\n".join(lines)


def cell_text(value, column):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if "error" in column:
        return "%.2e" % value
    if column.endswith(" s"):
        return "%.3f" % value
    return format(int(round(value)), ",d")
