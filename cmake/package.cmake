# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages by CPack: cpack in the build folder, or --target package. contrib/debian has the same ones for Debian's tools.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "bnbench maintainers <maintainers@bnbench.invalid>")
set(CPACK_PACKAGE_HOMEPAGE_URL "https://github.com/bnbench/bnbench")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_BNB_EPOCH ${BNB_EPOCH})
set(CPACK_BNB_SOURCE ${CMAKE_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/package_stage.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package_time.cmake)

set(CPACK_COMPONENTS_ALL program data library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(blas "libopenblas0-serial | libopenblas0") # the first where none is installed yet: one without threads of its own
set(late "libcurl4 | libcurl4t64, libxml2 | libxml2-16") # which are loaded by name: core/base/late_library.h

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bnbench)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "bnbench-data (= ${PROJECT_VERSION}-1), ${blas}, ${late}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz, ca-certificates")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "structure learning of Bayesian networks, measured
bnbench runs experiments that compare algorithms which learn the structure of
Bayesian networks: an experiment is a YAML file, its results are a store, and
from a store come tables, plots and tests.")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME bnbench-data)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DATA_DESCRIPTION "networks and experiments of bnbench
Networks, experiment files and published figures that bnbench and its library
read.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libbnbench0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "bnbench-data (>= ${PROJECT_VERSION}), ${blas}, ${late}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "structure learning of Bayesian networks (library)
The work of bnbench for other programs: networks, data, learners, scores,
experiments.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbnbench-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libbnbench0 (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "structure learning of Bayesian networks (development files)
The header of libbnbench, and what pkg-config and CMake find it by.")
include(CPack)
