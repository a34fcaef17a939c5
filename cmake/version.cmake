# SPDX-License-Identifier: GPL-3.0-or-later
# What these sources are: BNB_NUMBER, from the tag where there is one; BNB_COMMIT, its first 12 digits; BNB_EPOCH, the commit's
# time. Told by git, or, in a source archive, by commit.txt, which git fills in there.
set(BNB_NUMBER 0.1.0)
set(told "")
if(EXISTS ${CMAKE_SOURCE_DIR}/.git)
    execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 "--format=%H %ct %(describe:tags=true,match=v*)"
        OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
    file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/commit.txt told)
endif()
set(BNB_COMMIT "unknown")
set(BNB_EPOCH 0)
if(told MATCHES "^([0-9a-f]+) ([0-9]+) ?(.*)$")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 BNB_COMMIT)
    set(BNB_EPOCH ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_3 MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)$") # the commit itself has the tag
        set(BNB_NUMBER ${CMAKE_MATCH_1})
    endif()
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(BNB_EPOCH $ENV{SOURCE_DATE_EPOCH})
endif()
