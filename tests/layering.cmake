# SPDX-License-Identifier: GPL-3.0-or-later
# Reads every include line: an include never turns round (docs: core <- metrics <- learners; core <- generators;
# core, metrics <- results <- plots; all of them but plots <- experiments; everything <- cli), and a header that ends in
# _internal.h stays in its folder.
#
#     cmake -DSOURCE=folder -P tests/layering.cmake
cmake_minimum_required(VERSION 3.25)

set(may_core core)
set(may_metrics core metrics)
set(may_generators core generators)
set(may_learners core metrics learners)
set(may_results core metrics results)
set(may_plots core metrics results plots)
set(may_experiments core metrics generators learners results experiments)
set(may_cli core metrics generators learners results plots experiments cli)
set(folders core metrics generators learners results plots experiments cli)

set(n_files 0)
set(n_includes 0)
set(wrong "")
foreach(folder IN LISTS folders)
    file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/${folder}/*.c ${SOURCE}/${folder}/*.h)
    foreach(file IN LISTS files)
        math(EXPR n_files "${n_files} + 1")
        file(STRINGS ${SOURCE}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1" header "${line}")
            if(NOT header MATCHES "/" OR header MATCHES "\\.def$")
                continue() # made by the build, or a list of entries beside its source
            endif()
            math(EXPR n_includes "${n_includes} + 1")
            string(REGEX REPLACE "/.*$" "" target "${header}")
            if(NOT target IN_LIST may_${folder})
                list(APPEND wrong "${file}: ${folder}/ may not include ${header}")
            elseif(header MATCHES "_internal\\.h$" AND NOT target STREQUAL folder)
                list(APPEND wrong "${file}: ${header} is for ${target}/ alone")
            elseif(NOT EXISTS ${SOURCE}/${header})
                list(APPEND wrong "${file}: there is no ${header}; includes start at the root")
            endif()
        endforeach()
    endforeach()
endforeach()

if(n_includes EQUAL 0)
    message(FATAL_ERROR "no include line was found under ${SOURCE}: this check would pass on anything")
endif()
if(wrong)
    list(JOIN wrong "\n  " text)
    message(FATAL_ERROR "Includes against the layers:\n  ${text}")
endif()
message(STATUS "${n_includes} includes of ${n_files} files keep to the layers")
