/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BNB_CORE_RUN_PROCESSORS_INTERNAL_H
#define BNB_CORE_RUN_PROCESSORS_INTERNAL_H

#include "core/run/control_group_place.h"
#include "core/run/processors.h"

/** The least quota of the group at `place` and those around it; INFINITY: none has one, or there is no group. */
double processors_quota_at(const control_group_place *place);

#endif
