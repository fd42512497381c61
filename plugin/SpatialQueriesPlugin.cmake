# Builds the ParaView plugin; included by the top level, since ParaView enters the folder of paraview.plugin itself.
find_package(ParaView REQUIRED)
if(ParaView_VERSION VERSION_LESS 5.11)
  message(FATAL_ERROR "ParaView ${ParaView_VERSION} is too old, 5.11 is the first that is supported")
endif()

set(BUILD_SHARED_LIBS ON) # plugins are loaded at run time; the core stays static inside
include(GNUInstallDirs)

paraview_plugin_scan(
  PLUGIN_FILES "${CMAKE_CURRENT_LIST_DIR}/paraview.plugin"
  PROVIDES_PLUGINS sq_plugins
  ENABLE_BY_DEFAULT ON
  HIDE_PLUGINS_FROM_CACHE ON)
paraview_plugin_build(
  LIBRARY_SUBDIRECTORY "${PARAVIEW_PLUGIN_SUBDIR}"
  PLUGINS_FILE_NAME spatialqueries.plugins.xml
  INSTALL_HEADERS OFF
  PLUGINS ${sq_plugins}
  AUTOLOAD ${sq_plugins})

# One short path for PV_PLUGIN_PATH, whatever ParaView's version: <build>/plugins/SpatialQueries/SpatialQueries.so
file(CREATE_LINK "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}"
  "${CMAKE_BINARY_DIR}/plugins" SYMBOLIC)

# The classes for Python, beside the plugin: PYTHONPATH=<build>/plugins/SpatialQueries, from spatialqueries import vtkSQFilters
if(PARAVIEW_USE_PYTHON)
  vtk_module_wrap_python(
    MODULES SpatialQueries::Filters
    TARGET SpatialQueries::Python
    PYTHON_PACKAGE spatialqueries
    MODULE_DESTINATION "${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/SpatialQueries"
    LIBRARY_DESTINATION "${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/SpatialQueries"
    INSTALL_HEADERS OFF
    INTERPRETER DISABLE)
  # Whoever builds the plugin alone (scripts/demo.sh) has them too.
  add_dependencies(SpatialQueries vtkSQFiltersPython)
endif()
