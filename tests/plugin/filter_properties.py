"""Every property: described, labelled, in its place; XML, VTK class and core agree on default and limits.

Arguments after the plugin: filters.xml, the folder of the core's public headers.
"""

import os
import re
import xml.etree.ElementTree as ElementTree

from paraview import servermanager

import contract
import harness
import meshes
import vtk_data as vd

INPUTS = {"Input", "Surface", "SourceMesh", "Sources"}


def fresh(name):
    """A proxy as the XML alone makes it: no inputs, no domain has touched a default."""
    return servermanager.ProxyManager().NewProxy("filters", name)


def properties(proxy):
    """All properties that a person can set, by name."""
    out, it = {}, proxy.NewPropertyIterator()
    it.Begin()
    while not it.IsAtEnd():
        prop = it.GetProperty()
        if not prop.GetInformationOnly() and prop.GetXMLLabel() and not prop.GetIsInternal():
            out[it.GetKey()] = prop
        it.Next()
    return out


def defaults(prop):
    """Values of a property of a fresh proxy."""
    values = [prop.GetElement(i) for i in range(prop.GetNumberOfElements())]
    return values if len(values) != 1 else values[0]


def domains(prop):
    out, it = [], prop.NewDomainIterator()
    it.Begin()
    while not it.IsAtEnd():
        out.append(it.GetDomain())
        it.Next()
    return out


def printed(algorithm):
    """The `Name: value` lines of PrintSelf, numbers as floats."""
    out = {}
    for line in str(algorithm).splitlines():
        found = re.match(r"^\s{1,4}(\w+): (.*)$", line)
        if found:
            text = found.group(2).strip().strip("\"'()")
            text = {"On": "1", "Off": "0", "on": "1", "off": "0", "true": "1", "false": "0"}.get(
                text, text
            )
            parts = [p for p in re.split(r"[,\s]+", text) if p]
            try:
                numbers = [float(p) for p in parts]
                out[found.group(1)] = numbers[0] if len(numbers) == 1 else numbers or ""
            except ValueError:
                out[found.group(1)] = text
    return out


def macros(folder):
    """SQ_..._DEFAULT, _MIN and _MAX of the core's headers."""
    out = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as header:
            for found in re.finditer(
                r"^#define (SQ_\w+_(?:DEFAULT|MIN|MAX)) (.+)$", header.read(), re.M
            ):
                power = re.fullmatch(r"\(\(int64_t\)1 << (\d+)\)", found.group(2))
                out[found.group(1)] = (
                    2.0 ** int(power.group(1)) if power else float(found.group(2).split()[0])
                )
    return out


class Every(harness.Case):
    def each(self):
        for name, filter_ in contract.FILTERS.items():
            proxy = fresh(name)
            self.assertIsNotNone(proxy, name)
            yield name, filter_, proxy, properties(proxy)


class Descriptions(Every):
    def test_filters(self):
        for name, filter_, proxy, _ in self.each():
            with self.subTest(name):
                self.assertEqual(proxy.GetVTKClassName(), filter_["class"])
                self.assertEqual(proxy.GetXMLLabel(), filter_["label"])
                self.assertEqual(proxy.GetXMLLabel().replace(" ", ""), name)
                text = proxy.GetDocumentation()
                self.assertEqual(text.GetShortHelp().rstrip("."), filter_["short_help"].rstrip("."))
                self.assertGreater(len(text.GetLongHelp() or ""), 40)
                self.assertGreater(len(text.GetDescription() or ""), 100)

    def test_properties(self):
        for name, filter_, _, found in self.each():
            for key, prop in found.items():
                with self.subTest(filter=name, property=key):
                    self.assertEqual(prop.GetXMLLabel().replace(" ", ""), key)
                    self.assertGreater(len(prop.GetDocumentation().GetDescription().strip()), 20)
                    if prop.IsA("vtkSMIntVectorProperty") or prop.IsA("vtkSMDoubleVectorProperty"):
                        self.assertTrue(domains(prop), "no domain")

    def test_nothing_is_missing(self):
        for name, filter_, _, found in self.each():
            self.assertLessEqual(
                set(filter_["properties"]) | set(filter_["ports"]), set(found), name
            )

    def test_place_in_the_panel(self):
        for name, filter_, _, found in self.each():
            for key, prop in found.items():
                if key not in INPUTS:
                    shown = key in filter_["properties"] and filter_["properties"][key][3]
                    shown = shown or key in contract.LISTS.get(name, {})
                    shown = shown or contract.ARRAY_CHOICES.get(name, {}).get(key, [False])[-1]
                    with self.subTest(filter=name, property=key):
                        self.assertEqual(
                            prop.GetPanelVisibility(), "default" if shown else "advanced"
                        )

    def test_choices(self):
        for name, _, _, found in self.each():
            for key, want in contract.CHOICES.items():
                if key in found:
                    with self.subTest(filter=name, property=key):
                        lists = [d for d in domains(found[key]) if d.IsA("vtkSMEnumerationDomain")]
                        self.assertEqual(len(lists), 1)
                        got = {
                            lists[0].GetEntryValue(i): lists[0].GetEntryText(i)
                            for i in range(lists[0].GetNumberOfEntries())
                        }
                        self.assertLessEqual(set(want) - set(got), contract.LATER.get(key, set()))
                        self.assertLessEqual(set(got), set(want))
                        for value, text in got.items():
                            self.assertEqual(text, want[value] or text)

    def test_flags_are_check_boxes(self):
        for name, filter_, _, found in self.each():
            for key, (_, lo, hi, _, _) in filter_["properties"].items():
                if (lo, hi) == contract.BOOL and key not in contract.CHOICES:
                    self.assertTrue(
                        any(d.IsA("vtkSMBooleanDomain") for d in domains(found[key])), (name, key)
                    )


class Agreement(Every):
    def test_xml_defaults(self):
        for name, filter_, _, found in self.each():
            for key, (default, *_) in filter_["properties"].items():
                if default is not None:
                    with self.subTest(filter=name, property=key):
                        self.assertEqual(defaults(found[key]), default)

    def test_class_defaults(self):
        """A new object of the class, untouched by the XML, prints the same values."""
        for name, filter_, proxy, found in self.each():
            own = printed(proxy.GetClientSideObject().NewInstance())
            for key, (default, *_) in filter_["properties"].items():
                with self.subTest(filter=name, property=key):
                    self.assertIn(key, own, "PrintSelf leaves it out")
                    if default is not None:
                        self.assertEqual(own[key], default)
                    self.assertEqual(own[key], defaults(found[key]))

    def test_core_defaults_and_limits(self):
        core = macros(harness.ARGUMENTS[2])
        self.assertGreater(len(core), 20)
        for name, filter_, _, _ in self.each():
            for key, (default, lo, hi, _, prefix) in filter_["properties"].items():
                if prefix:
                    with self.subTest(filter=name, property=key):
                        self.assertEqual(core[prefix + "_DEFAULT"], default)
                        for suffix, want in (("_MIN", lo), ("_MAX", hi)):
                            if want is not None and prefix + suffix in core:
                                self.assertEqual(core[prefix + suffix], want)

    def test_every_setting_reaches_its_member_and_is_clamped(self):
        for name, filter_, _, _ in self.each():
            for key, (default, lo, hi, _, _) in filter_["properties"].items():
                with self.subTest(filter=name, property=key):
                    self.setting(name, key, default, lo, hi)

    def setting(self, name, key, default, lo, hi):
        proxy = fresh(name)
        before = printed(proxy.GetClientSideObject())

        def push(value):
            prop = proxy.GetProperty(key)
            for i, v in enumerate(value if isinstance(value, list) else [value]):
                prop.SetElement(i, v)
            proxy.UpdateVTKObjects()
            return printed(proxy.GetClientSideObject())

        other = self.another(default, lo, hi)
        after = push(other)
        self.assertEqual(after[key], other)
        volatile = {key, "Time", "Count"}  # of the object itself
        self.assertEqual(
            {k: v for k, v in after.items() if k not in volatile},
            {k: v for k, v in before.items() if k not in volatile},
        )
        if isinstance(default, (int, float)) and (lo, hi) != contract.BOOL:
            if hi is not None:
                self.assertEqual(push(hi + 5)[key], hi)
            if lo is not None:
                self.assertEqual(push(lo - 5)[key], lo)

    def another(self, default, lo, hi):
        """A legal value that is not the default."""
        if isinstance(default, str):
            return "Other"
        if isinstance(default, list):
            return [v + 1 for v in default]
        if default is None:
            return 0.375
        if isinstance(default, float):
            return 0.0625
        return hi if default != hi and hi is not None else lo


class Limits(Every):
    def test_ranges_shown(self):
        for name, filter_, _, found in self.each():
            for key, (_, lo, hi, _, _) in filter_["properties"].items():
                for domain in domains(found[key]):
                    if domain.IsA("vtkSMIntRangeDomain") or domain.IsA("vtkSMDoubleRangeDomain"):
                        if domain.IsA("vtkSMBoundsDomain"):
                            continue
                        with self.subTest(filter=name, property=key):
                            if lo is not None:
                                self.assertTrue(domain.GetMinimumExists(0))
                                self.assertEqual(domain.GetMinimum(0), lo)
                            if hi is not None and domain.GetMaximumExists(0):
                                self.assertEqual(domain.GetMaximum(0), hi)


class File(harness.Case):
    """What only the file says: category, icon, hints, order of the ports."""

    @classmethod
    def setUpClass(cls):
        cls.root = ElementTree.parse(harness.ARGUMENTS[1]).getroot()
        cls.proxies = {p.get("name"): p for p in cls.root.iter("SourceProxy")}

    def test_category(self):
        found = [
            c
            for c in self.root.iter("Category")
            if c.get("menu_label", "").replace("&", "") == "Spatial Queries"
        ]
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0].get("show_in_toolbar"), "1")
        shown = {p.get("name") for p in found[0] if p.get("omit_from_toolbar", "0") == "0"}
        self.assertEqual(shown & set(contract.FILTERS), set(contract.FILTERS) - contract.OMITTED)
        self.assertLessEqual(set(contract.FILTERS), {p.get("name") for p in found[0]})

    def test_icons(self):
        for name in contract.FILTERS:
            menu = self.proxies[name].find("Hints/ShowInMenu")
            self.assertIsNotNone(menu, name)
            self.assertTrue(menu.get("icon"), name)

    def test_ports(self):
        for name, filter_ in contract.FILTERS.items():
            ports = [p.get("name") for p in self.proxies[name].iter("InputProperty")]
            self.assertEqual(ports, filter_["ports"], name)
            for port in self.proxies[name].iter("InputProperty"):
                optional = port.find("Hints/Optional") is not None
                self.assertEqual(optional, port.get("name") in contract.OPTIONAL)
                kinds = {d.get("value") for d in port.iter("DataType")}
                self.assertIn("vtkDataSet", kinds)

    def test_hints(self):
        volume = self.proxies["SignedDistanceVolume"].find("Hints")
        for name in ("SignedDistanceVolume", "BVHBoxes", "ClusterTree"):
            hints = self.proxies[name].find("Hints")
            self.assertEqual(hints.find("Visibility").get("replace_input"), "0")
        self.assertEqual(volume.find("RepresentationType").get("type"), "Slice")

    def test_array_choices(self):
        """None by default, and the list follows the elements."""
        for name, choices in contract.ARRAY_CHOICES.items():
            for key, (port, elements, _) in choices.items():
                prop = next(
                    p
                    for p in self.proxies[name].iter("StringVectorProperty")
                    if p.get("name") == key
                )
                self.assertEqual(prop.get("default_values").split(";")[-1], "None")
                domain = prop.find("ArrayListDomain")
                # Where an optional port is not set, the panel asks a domain that knows None, but no arrays, about
                # it, and ParaView's message window pops up with errors. There None is shown as it is set.
                optional = port == "Sources"
                self.assertEqual(domain.get("none_string"), None if optional else "None")
                needs = {p.get("function"): p.get("name") for p in domain.iter("Property")}
                self.assertEqual(needs, {"Input": port, "FieldDataSelection": elements})
                data = vd.add(vd.add(meshes.box(), w=[0.0] * 8), "cell", c=[0.0] * 12)
                f = harness.Filter(name, **{"Input": data, port: data})
                self.assertEqual(list(getattr(f.proxy, key)), ["POINTS", "None"])
                found = f.proxy.SMProxy.GetProperty(key).FindDomain("vtkSMArrayListDomain")
                for value, array in ((0, "w"), (1, "c")):
                    f.set(**{elements: value})
                    names = [found.GetString(i) for i in range(found.GetNumberOfStrings())]
                    self.assertEqual(names, [array] if optional else ["None", array])
                f.delete()

    def test_lists(self):
        for name, lists in contract.LISTS.items():
            proxy = fresh(name)
            found = properties(proxy)
            for key, want in lists.items():
                self.assertEqual(defaults(found[key]), want)
                self.assertEqual(found[key].GetPanelVisibility(), "default")
                printed_list = [float(v) for v in printed(proxy.GetClientSideObject())[key]]
                self.assertEqual(printed_list, want)

    def test_further_ports_open_no_view(self):
        for name, last in contract.FURTHER_PORTS.items():
            views = {v.get("port"): v.get("type") for v in self.proxies[name].findall("Hints/View")}
            self.assertEqual(views, {str(i + 1): "None" for i in range(last)}, name)
            ports = [p.get("index") for p in self.proxies[name].findall("OutputPort")]
            self.assertEqual(ports, [str(i) for i in range(last + 1)], name)

    def test_lengths_follow_the_data(self):
        for name, key, mode, factor in (
            ("SignedDistanceField", "MaxDistance", "scaled_extent", 0.1),
            ("SignedDistanceVolume", "MaxDistance", "scaled_extent", 0.1),
            ("BVHProbe", "MaxDistance", "scaled_extent", 0.1),
            ("SignedDistanceVolume", "VoxelSize", None, 0.01),
        ):
            prop = next(
                p for p in self.proxies[name].iter("DoubleVectorProperty") if p.get("name") == key
            )
            domain = prop.find("BoundsDomain")
            self.assertIsNotNone(domain, (name, key))
            self.assertEqual(float(domain.get("scale_factor")), factor)
            if mode:
                self.assertEqual(domain.get("mode"), mode)

    def test_proxies_are_those_of_the_contract(self):
        for name, proxy in self.proxies.items():
            self.assertEqual(proxy.get("class"), "vtkSQ" + name)


if __name__ == "__main__":
    harness.main()
