"""Runs the recipes under pvbatch, as a person would, and looks at what they have drawn.

Arguments after the plugin: the folder of the recipes, a data file, pvbatch.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

import harness


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    flat = vtk_to_numpy(image.GetPointData().GetScalars())
    return flat.reshape(height, width, -1)[::-1, :, :3].astype(int)


def share(picture, condition):
    return condition(*np.moveaxis(picture, 2, 0)).mean()


def is_red(r, g, b):
    return (r > 150) & (g < 60) & (b < 60)


def is_blue(r, g, b):
    return (b > r + 30) & (b > 80)


def is_white(r, g, b):
    return (r > 250) & (g > 250) & (b > 250)


class Recipes(harness.Case):
    def draw(self, name):
        library, folder, data, pvbatch = harness.ARGUMENTS[:4]
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, name + ".png")
            done = subprocess.run(
                [pvbatch, os.path.join(folder, name + ".py"), data, path],
                env=dict(os.environ, PV_PLUGIN_PATH=os.path.dirname(os.path.abspath(library))),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
            )
            self.assertEqual(done.returncode, 0, done.stdout)
            for word in ("Traceback", "ERR|", "WARN|", "Error"):
                self.assertNotIn(word, done.stdout)
            return pixels(path)

    def test_interaction_list(self):
        picture = self.draw("interaction_list")
        self.assertGreater(share(picture, is_red), 0.01)
        self.assertGreater(share(picture, is_blue), 0.01)
        self.assertGreater(share(picture, is_white), 0.2)

    def test_evaluation_heat_map(self):
        picture = self.draw("evaluation_heat_map")
        self.assertLess(share(picture, is_white), 0.9)
        self.assertGreater(len(np.unique(picture.reshape(-1, 3), axis=0)), 1000)

    def test_error_map(self):
        picture = self.draw("error_map")
        self.assertLess(share(picture, is_white), 0.9)
        self.assertGreater(len(np.unique(picture.reshape(-1, 3), axis=0)), 1000)

    def test_block_matrix(self):
        """The diagonal of the near stream is darker than what lies beside it, in the far stream lighter."""
        picture = self.draw("block_matrix")
        half = len(picture) // 2
        near, far = picture[50:half, 50:half].sum(axis=2), picture[half:, half:].sum(axis=2)
        rows, columns = np.nonzero(near < 600)
        self.assertGreater(len(rows), 300)
        self.assertLess(np.median(np.abs(rows - columns)), 10)
        self.assertGreater((far < 300).mean(), 0.3)

    def test_cost_and_error(self):
        picture = self.draw("cost_and_error")
        orange = share(picture, lambda r, g, b: (r > 200) & (g < 110) & (b < 60))
        blue = share(picture, lambda r, g, b: (b > 150) & (r < 90))
        self.assertGreater(orange, 5e-4)
        self.assertGreater(blue, 2e-4)

    def test_as_macros(self):
        """On the active item, as the GUI runs them: what they show is in a layout, and the item stays active."""
        sys.argv[:] = [""]
        for name in sorted(os.listdir(harness.ARGUMENTS[1])):
            if not name.endswith(".py"):
                continue
            source = simple.Sphere(ThetaResolution=12, PhiResolution=12)
            first = simple.CreateRenderView()
            simple.AssignViewToLayout(first, simple.CreateLayout("First"))
            simple.Show(source, first)
            simple.SetActiveSource(source)
            harness.MESSAGES.drain()
            with open(os.path.join(harness.ARGUMENTS[1], name), encoding="utf-8") as file:
                exec(compile(file.read(), name, "exec"), {"__name__": "__main__"})
            self.assertEqual(harness.MESSAGES.drain(), [], name)
            self.assertIsNotNone(simple.GetLayout(simple.GetActiveView()), name)
            if name in ("block_matrix.py", "cost_and_error.py", "interaction_list.py"):
                self.assertEqual(simple.GetActiveSource(), source, name)
            simple.ResetSession()


if __name__ == "__main__":
    harness.main()
