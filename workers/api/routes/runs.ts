import { z } from "zod";
import { listRuns } from "#core/rounds/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { runsAnswer } from "../run-answers.ts";
import { pageField, perPageField } from "../wire-fields.ts";

/** The highest page of today's ended runs: with several regions, all pages before it are read too. */
const LAST_PAGE = 99;

/** The call for the runs of today. */
export function mountRuns(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/runs",
    summary: "The round of today, the runs at work, the queue, and what has ended",
    tag: "Runs",
    input: z.strictObject({
      page: pageField.pipe(z.number().max(LAST_PAGE)),
      perPage: perPageField,
    }),
    result: runsAnswer,
    handle: async (s, m, input) => ({ result: await listRuns(s, m, input) }),
  });
}
