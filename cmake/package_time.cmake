# SPDX-License-Identifier: GPL-3.0-or-later
# Packages are as old as the commit.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
    set(ENV{SOURCE_DATE_EPOCH} ${CPACK_BNB_EPOCH})
endif()
