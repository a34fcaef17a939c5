/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BNB_CORE_RUN_PROCESSORS_INTERNAL_H
#define BNB_CORE_RUN_PROCESSORS_INTERNAL_H

/** What one group has by its files in that folder, those around it apart; INFINITY: none. */
double processors_quota_of(const char *folder);

#endif
