"""What a person sees: filters, ports and properties with their defaults, limits and place in the panel.

A property is (default, smallest, largest, shown without "advanced", prefix of the core's macros).
"""

ANY = None  # no limit
BOOL = (0, 1)


def _flag(default, shown=False, macro=None):
    return (default, *BOOL, shown, macro)


COMMON = {
    "Device": (0, 0, 2, False, None),
    "Threads": (0, 0, 1024, False, "SQ_THREADS"),
}

SIGN = {
    "SignMethod": (0, 0, 3, True, "SQ_SIGN_METHOD"),
    "MergePoints": _flag(1, macro="SQ_MERGE_POINTS"),
    "MergeTolerance": (0.0, 0.0, 0.1, False, "SQ_MERGE_TOLERANCE"),
    "FlipInsideOut": _flag(0),
}

BOXES = {
    "LeafSize": (1, 1, ANY, True, "SQ_LEAF_SIZE"),
    "MinimumDepth": (0, 0, ANY, True, None),
    "MaximumDepth": (8, 0, ANY, True, None),
    "LeavesOnly": _flag(0),
    "BoxType": (0, 0, 1, True, None),
    "ExportTree": _flag(0),
}

FILTERS = {
    "SignedDistanceField": {
        "class": "vtkSQSignedDistanceField",
        "label": "Signed Distance Field",
        "short_help": "Signed distance field (SDF), wall distance, closest point, inside or outside test.",
        "ports": ["Input", "Surface"],
        "properties": {
            **SIGN,
            **COMMON,
            "LimitDistance": _flag(0, shown=True),
            "MaxDistance": (0.0, 0.0, ANY, True, None),
            "OutOfBandValue": (0, 0, 1, False, None),
            "ComputeClosestPoint": _flag(1),
            "ComputeClosestCell": _flag(1),
            "ComputeGradient": _flag(0, shown=True),
            "ResultArrayName": ("SignedDistance", ANY, ANY, False, None),
            "InputElements": (0, 0, 1, True, None),
        },
    },
    "SignedDistanceVolume": {
        "class": "vtkSQSignedDistanceVolume",
        "label": "Signed Distance Volume",
        "short_help": "SDF volume, voxelize a surface.",
        "ports": ["Input"],
        "properties": {
            **SIGN,
            **COMMON,
            "UseInputBounds": _flag(1, shown=True),
            "SamplingType": (0, 0, 1, True, None),
            "SamplingDimensions": ([100, 100, 100], 1, ANY, True, None),
            "VoxelSize": (None, 0.0, ANY, True, None),
            "SamplingBounds": ([0, 1, 0, 1, 0, 1], ANY, ANY, True, None),
            "Padding": (0.1, 0.0, ANY, True, None),
            "OutputType": (0, 0, 1, False, None),
            "LimitDistance": _flag(0),
            "MaxDistance": (0.0, 0.0, ANY, False, None),
            "OutOfBandValue": (1, 0, 1, False, None),
        },
    },
    "SurfaceCheck": {
        "class": "vtkSQSurfaceCheck",
        "label": "Surface Check",
        "short_help": "Check a surface mesh: watertight, holes, non-manifold, duplicate, crossing, degenerate triangles.",
        "ports": ["Input"],
        "properties": {
            **COMMON,
            "MergePoints": SIGN["MergePoints"],
            "MergeTolerance": SIGN["MergeTolerance"],
        },
    },
    "BVHProbe": {
        "class": "vtkSQBVHProbe",
        "label": "BVH Probe",
        "short_help": "Resample, sample, probe, interpolate or map data from a mesh to points; nearest cell.",
        "ports": ["SourceMesh", "Input"],
        "properties": {
            **COMMON,
            "Mode": (0, 0, 2, True, "SQ_LOCATE_MODE"),
            "ToleranceType": (0, 0, 1, False, "SQ_TOLERANCE_TYPE"),
            "Tolerance": (1e-6, 0.0, ANY, False, "SQ_TOLERANCE"),
            "MultipleCells": (0, 0, 2, False, "SQ_MULTIPLE_CELLS"),
            "NearestBy": (0, 0, 1, False, "SQ_NEAREST_BY"),
            "LimitDistance": _flag(0, shown=True),
            "MaxDistance": (0.0, 0.0, ANY, True, None),
            "OutsideValue": (0, 0, 1, False, "SQ_OUTSIDE_VALUE"),
            "InputElements": (0, 0, 1, True, None),
            "PassPointArrays": _flag(1),
            "PassCellArrays": _flag(1),
            "PassFieldArrays": _flag(1),
            "SamplePointArrays": _flag(1),
            "SampleCellArrays": _flag(1),
            "SampledArrayPrefix": ("", ANY, ANY, False, None),
            "CategoricalData": (0, 0, 2, True, None),
            "FillMissing": _flag(0),
            "MissingValue": (0.0, ANY, ANY, False, None),
            "MarkBlankPointsAndCells": _flag(0),
            "ComputeCellId": _flag(1),
            "ComputeDistance": _flag(1),
            "ComputeParametricCoordinates": _flag(0),
            "ComputeContainingCellCount": _flag(0),
            "TraversalStatistics": _flag(0),
        },
    },
    "BVHCandidates": {
        "class": "vtkSQBVHCandidates",
        "label": "BVH Candidates",
        "short_help": "Candidate cells of points by bounding boxes, as find_candidate_cells of PhysicsNeMo.",
        "ports": ["SourceMesh", "Input"],
        "properties": {
            **COMMON,
            "LeafSize": (1, 1, ANY, True, "SQ_LEAF_SIZE"),
            "ToleranceType": (1, 0, 1, False, None),
            "Tolerance": (1e-6, 0.0, ANY, False, "SQ_CANDIDATES_TOLERANCE"),
            "LimitCandidates": _flag(1, shown=True, macro="SQ_CANDIDATES_LIMIT"),
            "MaxCandidates": (32, 0, ANY, True, "SQ_CANDIDATES_MAX"),
            "InputElements": (0, 0, 1, True, None),
        },
    },
    "BVHBoxes": {
        "class": "vtkSQBVHBoxes",
        "label": "BVH Boxes",
        "short_help": "Show the boxes of a bounding volume hierarchy (BVH) and how good it is.",
        "ports": ["Input"],
        "properties": {**COMMON, **BOXES},
    },
    "ClusterTree": {
        "class": "vtkSQClusterTree",
        "label": "Cluster Tree",
        "short_help": "Show the cluster tree of points that Barnes-Hut plans are made of.",
        "ports": ["Input"],
        "properties": {
            **COMMON,
            **BOXES,
            "InputElements": (0, 0, 1, True, None),
            "Dimensions": (3, 1, 3, False, None),
        },
    },
}

# Properties that choose an array, None by default: port, the property that says points or cells, in the panel.
ARRAY_CHOICES = {"ClusterTree": {"AreaArray": ("Input", "InputElements", True)}}

# Filters that the toolbar leaves out, and ports above 0 that open no view.
OMITTED = {"BVHCandidates", "BVHBoxes", "ClusterTree"}
FURTHER_PORTS = {"BVHCandidates": 1, "BVHBoxes": 2, "ClusterTree": 2}

# Texts of the drop-down lists, by value. The winding number of SignMethod may come later.
CHOICES = {
    "SignMethod": {0: "Automatic", 1: "Pseudonormal", 2: "Winding Number", 3: "Unsigned"},
    "InputElements": {0: "Points", 1: "Cells"},
    "OutOfBandValue": {0: "NaN", 1: None},
    "SamplingType": {0: "Dimensions", 1: "Voxel Size"},
    "OutputType": {0: "Float", 1: "Double"},
    "Mode": {0: "Containing Cell", 1: "Nearest Cell", 2: "Containing Cell Else Nearest"},
    "ToleranceType": {0: None, 1: None},
    "MultipleCells": {0: "Lowest Id", 1: "Mean", 2: "NaN"},
    "NearestBy": {0: "Distance", 1: "Centroid"},
    "OutsideValue": {0: None, 1: None},
    "CategoricalData": {0: None, 1: None, 2: None},
    "BoxType": {0: "Wireframe", 1: "Solid"},
    "Device": {0: "Automatic", 1: "CPU", 2: "GPU"},
}
LATER = {"SignMethod": {2}}
