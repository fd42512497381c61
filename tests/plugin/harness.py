"""What every plugin test needs: the plugin loaded, filters fed with data objects, messages caught.

Each test file ends in `harness.main()`; its first argument is the plugin's library.
"""

import os
import sys
import unittest

from paraview import simple
from vtkmodules.util.misc import calldata_type
from vtkmodules.vtkCommonCore import VTK_STRING, vtkOutputWindow
from vtkmodules.vtkCommonDataModel import vtkDataObject

import vtk_data

# pvpython routes Python's own streams through VTK's message window, which the tests listen to.
STREAM = os.fdopen(os.dup(2), "w", buffering=1)
sys.stdout = sys.stderr = STREAM
ARGUMENTS = []


class Messages:
    """Collects VTK's error and warning messages instead of printing them."""

    def __init__(self):
        self.list = []

        @calldata_type(VTK_STRING)
        def take(_window, event, text):
            self.list.append((event.replace("Event", "").lower(), " ".join(text.split())))

        window = vtkOutputWindow.GetInstance()
        window.SetDisplayModeToNever()
        for event in ("ErrorEvent", "WarningEvent", "GenericWarningEvent"):
            window.AddObserver(event, take)

    def drain(self):
        got, self.list[:] = list(self.list), []
        return got


MESSAGES = Messages()


class Output:
    """Port 0 of a filter after an update, with the messages that came meanwhile."""

    def __init__(self, data, messages):
        self.data, self.messages = data, messages

    def leaf(self, i=0):
        return vtk_data.leaves(self.data)[i]

    def _values(self, attributes, name):
        if not attributes.HasArray(name):
            raise KeyError(
                "no array %s among %s; messages: %s"
                % (name, vtk_data.names(attributes), self.messages)
            )
        return vtk_data.values(attributes, name)

    def point(self, name, block=0):
        return self._values(self.leaf(block).GetPointData(), name)

    def cell(self, name, block=0):
        return self._values(self.leaf(block).GetCellData(), name)

    def field(self, name):
        return self._values(self.data.GetFieldData(), name)

    def points(self, block=0):
        return vtk_data.names(self.leaf(block).GetPointData())

    def cells(self, block=0):
        return vtk_data.names(self.leaf(block).GetCellData())

    def fields(self):
        return vtk_data.names(self.data.GetFieldData())

    def type(self, name, on="point", block=0):
        place = {"point": self.leaf(block).GetPointData, "cell": self.leaf(block).GetCellData}[on]()
        found = place.GetAbstractArray(name)
        return found.GetClassName() if found is not None else None

    def kind(self, name, on="point", block=0):
        """The type of the numbers, whichever class holds them."""
        place = {"point": self.leaf(block).GetPointData, "cell": self.leaf(block).GetCellData}[on]()
        return place.GetAbstractArray(name).GetDataTypeAsString()

    def active(self, on="point", block=0):
        place = {"point": self.leaf(block).GetPointData, "cell": self.leaf(block).GetCellData}[on]()
        scalars = place.GetScalars()
        return scalars.GetName() if scalars is not None else None


class Filter:
    """One filter whose inputs are data objects (or proxies), given by port name."""

    def __init__(self, name, settings=None, **inputs):
        self.producers, self.inputs = {}, {}
        self.ports = {port: self._producer(port, data) for port, data in inputs.items()}
        MESSAGES.drain()
        self.proxy = getattr(simple, name)(**self.ports)
        self.set(**(settings or {}))

    def _producer(self, port, data):
        if not isinstance(data, vtkDataObject):
            return data
        self.inputs[port] = data
        producer = self.producers.setdefault(port, simple.TrivialProducer())
        producer.GetClientSideObject().SetOutput(data)
        producer.MarkModified(producer)
        producer.UpdatePipeline()
        return producer

    def feed(self, **inputs):
        """Gives other data to ports that were fed with data objects."""
        for port, data in inputs.items():
            self._producer(port, data)
        return self

    def set(self, **settings):
        for name, value in settings.items():
            if name not in self.proxy.ListProperties():
                raise AttributeError("no property %s" % name)
            setattr(self.proxy, name, value)
        return self

    @property
    def algorithm(self):
        return self.proxy.GetClientSideObject()

    def apply(self, time=None, **settings):
        self.set(**settings)
        MESSAGES.drain()
        if time is None:
            self.proxy.UpdatePipeline()
        else:
            self.proxy.UpdatePipeline(time)
        return Output(self.algorithm.GetOutputDataObject(0), MESSAGES.drain())

    def table(self, port):
        """Columns of the table on a port, by name, after an apply()."""
        return vtk_data.columns(self.algorithm.GetOutputDataObject(port))

    def tables(self, port):
        """The tables of a multiblock on a port, by their names."""
        blocks = self.algorithm.GetOutputDataObject(port)
        return {
            blocks.GetMetaData(i).Get(blocks.NAME()): vtk_data.columns(blocks.GetBlock(i))
            for i in range(blocks.GetNumberOfBlocks())
        }

    def delete(self):
        simple.Delete(self.proxy)
        for producer in self.producers.values():
            simple.Delete(producer)


def run(name, settings=None, **inputs):
    """One update of a fresh filter; the output is a copy that outlives the filter."""
    one = Filter(name, settings, **inputs)
    out = one.apply()
    copy = out.data.NewInstance()
    copy.ShallowCopy(out.data)
    one.delete()
    return Output(copy, out.messages)


class Case(unittest.TestCase):
    """unittest with the few comparisons that numbers need."""

    def close(self, got, want, tolerance=0.0, message=""):
        """|got - want| <= tolerance everywhere; NaN only where NaN is wanted."""
        import numpy as np

        got, want = np.asarray(got, float), np.asarray(want, float)
        self.assertEqual(got.shape, want.shape, message)
        with np.errstate(all="ignore"):
            good = (
                (got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= tolerance)
            )
        if not good.all():
            at = tuple(np.argwhere(~good)[0])
            self.fail(
                "%s: %d of %d differ, first at %s: %r instead of %r"
                % (message or "values", (~good).sum(), good.size, at, got[at], want[at])
            )

    def quiet(self, out):
        self.assertEqual(out.messages, [])

    def one_message(self, out, pattern):
        self.assertEqual(len(out.messages), 1, out.messages)
        self.assertRegex(out.messages[0][1], pattern)


def main():
    """Loads the plugin named by the first argument, runs the tests of the calling file, sets the exit status."""
    ARGUMENTS[:] = sys.argv[1:]
    library = os.path.abspath(ARGUMENTS[0])
    simple.LoadPlugin(library, remote=False, ns=simple.__dict__)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    only = os.environ.get("SQ_TEST_ONLY")
    if only:
        suite = unittest.TestSuite(t for group in suite for t in group if only in t.id())
    result = unittest.TextTestRunner(stream=STREAM, verbosity=2).run(suite)
    STREAM.flush()
    # Not sys.exit(): what ParaView tears down at exit is not under test here.
    os._exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
