/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/plan_status.h"

#include "runner/runner.h"

#include <math.h>
#include <time.h>

enum { TIME_SIZE = 32 };

/* "2026-11-22T03:00:00Z"; NULL where there is no such time. */
static const char *utc_text(double seconds, char text[TIME_SIZE]) {
    time_t when = isfinite(seconds) ? (time_t)seconds : 0;
    struct tm utc;
    if (!isfinite(seconds) || !gmtime_r(&when, &utc) || strftime(text, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return NULL;
    return text;
}

static void say_claim(text_buffer *out, const plan_claim *c) {
    char text[TIME_SIZE];
    const char *since = utc_text(c->since_s, text);
    text_append_format(out, "  %s: %s since %s", c->cell, c->worker, since ? since : "?");
    if (c->is_lost && isfinite(c->silent_s))
        text_append_format(out, ", lost: no sign of life for %.0f s", c->silent_s);
    else if (c->is_lost)
        text_append(out, ", lost: its place is gone");
    text_append(out, "\n");
}

static void say(text_buffer *out, const plan_look *l) {
    text_append_format(out, "%zu cells: %zu jobs queued, %zu with workers, %zu done", l->jobs.total, l->jobs.queued,
                       l->jobs.claimed, l->n_done);
    if (l->n_failed > 0)
        text_append_format(out, " (%zu failed)", l->n_failed);
    if (l->n_limited > 0)
        text_append_format(out, " (%zu met a limit)", l->n_limited);
    text_append_format(out, ", %zu given up\n", l->jobs.given_up);
    for (size_t i = 0; i < l->n_claims; i++)
        say_claim(out, &l->claims[i]);
    if (l->n_losses > 0)
        text_append_format(out, "%zu times a worker was lost with a job\n", l->n_losses);
    text_append_format(out, "'bnbench collect' would bring %zu results", l->n_done);
    if (l->n_refused > 0)
        text_append_format(out, ", and refuse %zu files:\n%s", l->n_refused, l->refused.data);
    else
        text_append(out, "\n");
}

static json_t *claims_array(const plan_look *l) {
    json_t *array = json_array();
    for (size_t i = 0; i < l->n_claims; i++) {
        const plan_claim *c = &l->claims[i];
        char text[TIME_SIZE];
        array = json_with(array, json_object_of({"cell", json_of_text(c->cell)}, {"worker", json_of_text(c->worker)},
                                                {"since", json_of_text(utc_text(c->since_s, text))},
                                                {"silent_seconds", json_of_double(c->silent_s)},
                                                {"is_lost", json_boolean(c->is_lost)}));
    }
    return array;
}

static status answer(cli *c, const plan_look *l, error_info *err) {
    CHECK_ALLOC(c->answer = json_object());
    return json_put_all(c->answer, err, {"total", json_of_size(l->jobs.total)},
                        {"queued", json_of_size(l->jobs.queued)}, {"claimed", json_of_size(l->jobs.claimed)},
                        {"done", json_of_size(l->n_done)}, {"failed", json_of_size(l->n_failed)},
                        {"limited", json_of_size(l->n_limited)}, {"given_up", json_of_size(l->jobs.given_up)},
                        {"losses", json_of_size(l->n_losses)}, {"refused", json_of_size(l->n_refused)},
                        {"claims", claims_array(l)});
}

status plan_status_tell(cli *c, const char *folder, error_info *err) {
    AUTO(plan_look_clear) plan_look l = {0};
    CHECK(cli_blame(c, BLAME_INPUT, runner_look_at_plan(folder, &l, err)));
    if (c->json)
        return answer(c, &l, err);
    say(&c->out, &l);
    return STATUS_OK;
}
