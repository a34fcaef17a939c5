# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms of the house and who may know whom. Reads every include line and, from the compiled objects, every call:
# an include goes to the rooms that the table below allows; a header that ends in _internal.h stays in its room; no
# folders include or call each other in a circle; no files call each other in one but for those listed with a reason.
#
#     cmake -DSOURCE=folder -DBUILD=folder -P tests/layering.cmake
cmake_minimum_required(VERSION 3.25)

# A room is a folder of the root with all that is below it.
set(may_core core)
set(may_metrics core metrics)
set(may_generators core generators)
set(may_learners core metrics learners)
set(may_discretizers core metrics learners discretizers)
set(may_document core document)
set(may_store core metrics store)
set(may_parts core metrics document store parts)
set(may_runner core metrics generators learners discretizers document store parts runner)
set(may_report core metrics generators learners discretizers document store parts runner report)
set(may_cli core metrics generators learners discretizers document store parts runner report cli)
set(rooms core metrics generators learners discretizers document store parts runner report cli)

# Calls that close a circle of files, "from to", each with its reason:
set(allowed_calls
    # the best of several learners is chosen among values that it becomes one of
    "parts/figures/metric_values.c parts/figures/best_of.c"
    # each kind of plot writes its own CSV and shares axes and sizes with the others
    "parts/plots/plot_common.c parts/plots/plot_growth.c"
    "parts/plots/plot_common.c parts/plots/plot_trace.c"
    "parts/plots/plot_common.c parts/plots/plot_values.c"
    "parts/plots/plot_script.c parts/plots/plot_box.c")

set(n_files 0)
set(n_includes 0)
set(wrong "")
set(folder_edges "")
foreach(room IN LISTS rooms)
    file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/${room}/*.c ${SOURCE}/${room}/*.h)
    foreach(file IN LISTS files)
        math(EXPR n_files "${n_files} + 1")
        get_filename_component(folder ${file} DIRECTORY)
        file(STRINGS ${SOURCE}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1" header "${line}")
            if(NOT header MATCHES "/" OR header MATCHES "\\.def$")
                continue() # made by the build, or a list of entries beside its source
            endif()
            math(EXPR n_includes "${n_includes} + 1")
            string(REGEX REPLACE "/.*$" "" target "${header}")
            get_filename_component(target_folder ${header} DIRECTORY)
            if(NOT target IN_LIST may_${room})
                list(APPEND wrong "${file}: ${room}/ may not include ${header}")
            elseif(header MATCHES "_internal\\.h$" AND NOT target STREQUAL room)
                list(APPEND wrong "${file}: ${header} is for ${target}/ alone")
            elseif(NOT EXISTS ${SOURCE}/${header})
                list(APPEND wrong "${file}: there is no ${header}; includes start at the root")
            elseif(NOT target_folder STREQUAL folder)
                list(APPEND folder_edges "${folder} ${target_folder}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(n_includes EQUAL 0)
    message(FATAL_ERROR "no include line was found under ${SOURCE}: this check would pass on anything")
endif()

# Calls, from the symbols that one object needs and another defines; a name defined twice is nobody's.
file(GLOB_RECURSE objects ${BUILD}/CMakeFiles/bnb.dir/*.o ${BUILD}/CMakeFiles/bnbench.dir/*.o)
foreach(object IN LISTS objects) # those of sources that are gone lie about until the folder is cleaned
    string(REGEX REPLACE "^.*/CMakeFiles/[^/]*\\.dir/(.*)\\.o$" "\\1" file "${object}")
    if(NOT EXISTS ${SOURCE}/${file})
        list(REMOVE_ITEM objects ${object})
    endif()
endforeach()
set(calls "")
if(objects)
    execute_process(COMMAND nm -A -P ${objects} COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/calls.awk
        OUTPUT_VARIABLE calls RESULT_VARIABLE answer)
    string(REGEX REPLACE "\n" ";" calls "${calls}")
endif()
list(LENGTH calls n_calls)
if(n_calls LESS 100)
    message(FATAL_ERROR "no calls were found under ${BUILD}: this check would pass on anything")
endif()
foreach(call IN LISTS calls)
    if(call MATCHES "^([^ ]+)/[^/ ]+ ([^ ]+)/[^/ ]+$" AND NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
        list(APPEND folder_edges "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
    endif()
endforeach()
list(REMOVE_ITEM calls ${allowed_calls} "")

# tsort tells the members of every circle.
function(refuse_circles what edges)
    list(REMOVE_DUPLICATES edges)
    list(JOIN edges "\n" text)
    file(WRITE ${BUILD}/layering-edges.txt "${text}\n")
    execute_process(COMMAND tsort ${BUILD}/layering-edges.txt OUTPUT_QUIET ERROR_VARIABLE circles)
    file(REMOVE ${BUILD}/layering-edges.txt)
    if(circles)
        string(REGEX REPLACE "tsort: [^\n]*input contains a loop:\n" "| " circles "${circles}")
        string(REGEX REPLACE "\ntsort: " ", " circles "${circles}")
        string(REGEX REPLACE "tsort: " "" circles "${circles}")
        set(wrong ${wrong} "${what}: ${circles}" PARENT_SCOPE)
    endif()
endfunction()
refuse_circles("folders include or call each other" "${folder_edges}")
refuse_circles("files call each other" "${calls}")

if(wrong)
    list(JOIN wrong "\n  " text)
    message(FATAL_ERROR "Against the layers:\n  ${text}")
endif()
message(STATUS "${n_includes} includes and ${n_calls} calls of ${n_files} files keep to the layers")
