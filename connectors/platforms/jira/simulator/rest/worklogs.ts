import { Hono } from "hono";
import { z } from "zod";
import { addWorklog, deleteWorklog, setRemaining } from "../issue-parts.ts";
import { tellPeople } from "../mails.ts";
import { canSeeIssue, hasPermission } from "../permissions.ts";
import { forbidden, invalid, missing, Refused } from "../refused.ts";
import { renderWorklog, seenWorklogs } from "../render-parts.ts";
import type { Issue } from "../state.ts";
import { projectOf } from "../store.ts";
import { readDuration, readJiraTime } from "../times.ts";
import { readDocument, readVisibility } from "./comments.ts";
import { issueFor, issueIn, numberOf, type RestEnv, readBody } from "./reach.ts";

const worklogOrder = z.looseObject({
  comment: z.unknown().optional(),
  visibility: z.unknown().optional(),
  started: z.string().optional(),
  timeSpent: z.string().optional(),
  timeSpentSeconds: z.number().int().positive().optional(),
});
const ADJUST = ["auto", "leave", "new", "manual"];
/** The feeds leave out what changed in the last minute, and have pages of this size. */
const FEED_DELAY_MS = 60_000;
const FEED_PAGE = 1_000;

/** Logging work, and the feeds of all worklogs of a site. */
export function worklogRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/issue/:key/worklog", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "WORK_ON_ISSUES");
    const order = await readBody(c, worklogOrder);
    const seconds = order.timeSpentSeconds ?? readDuration(order.timeSpent);
    if (!seconds) throw new Refused(400, null, { timeLogged: "You must indicate the time spent working." });
    // The document requires it of a new worklog.
    const startedAt = readJiraTime(order.started);
    if (startedAt === null)
      throw invalid("Unable to parse the date of 'started': expected yyyy-MM-dd'T'HH:mm:ss.SSSZ");
    const adjust = c.req.query("adjustEstimate") ?? "auto";
    if (!ADJUST.includes(adjust)) throw invalid(`The value '${adjust}' of adjustEstimate is not valid.`);
    const worklog = addWorklog(viewer.world, viewer.site, viewer.person.accountId, {
      issue,
      seconds,
      startedAt,
      comment: order.comment == null ? null : readDocument(viewer, issue, order.comment),
      visibility: readVisibility(viewer, order.visibility),
    });
    setEstimate(issue, seconds, adjust, c.req.query("newEstimate"), c.req.query("reduceBy"));
    if (c.req.query("notifyUsers") !== "false") tellPeople(viewer, issue);
    return c.json(renderWorklog(viewer, issue, worklog), 201);
  });
  app.delete("/issue/:key/worklog/:id", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const worklog = seenWorklogs(viewer, issue).find(({ id }) => id === c.req.param("id"));
    if (!worklog) throw missing(`Cannot find worklog with id: '${c.req.param("id")}'.`);
    const isOwn = worklog.authorId === viewer.person.accountId;
    if (!isOwn && !hasPermission(viewer, "ADMINISTER_PROJECTS", projectOf(viewer.site, issue))) {
      throw forbidden("You do not have the permission to delete this worklog.");
    }
    deleteWorklog(viewer.world, viewer.site, viewer.person.accountId, issue, worklog);
    return c.body(null, 204);
  });
  app.post("/worklog/list", async (c) => {
    const viewer = c.get("viewer");
    const { ids } = await readBody(c, z.strictObject({ ids: z.array(z.number().int()).max(1_000) }));
    const wanted = new Set(ids.map(String));
    const found = viewer.site.issues
      .filter((issue) => issue.worklogs.some(({ id }) => wanted.has(id)) && canSeeIssue(viewer, issue))
      .flatMap((issue) =>
        seenWorklogs(viewer, issue)
          .filter(({ id }) => wanted.has(id))
          .map((worklog) => renderWorklog(viewer, issue, worklog)),
      );
    return c.json(found);
  });
  for (const kind of ["updated", "deleted"] as const) {
    app.get(`/worklog/${kind}`, (c) => {
      const viewer = c.get("viewer");
      const since = numberOf(c, "since", 0);
      const all =
        kind === "deleted"
          ? viewer.site.deletedWorklogs
          : viewer.site.issues.flatMap(({ worklogs }) =>
              worklogs.map(({ id, updatedAt }) => ({ id, at: updatedAt })),
            );
      const end = Date.now() - FEED_DELAY_MS;
      const due = all.filter(({ at }) => at >= since && at <= end).sort((one, other) => one.at - other.at);
      const page = due.slice(0, FEED_PAGE);
      const lastPage = page.length === due.length;
      const self = `${viewer.base}/rest/api/3/worklog/${kind}`;
      const until = page.at(-1)?.at ?? since;
      return c.json({
        values: page.map(({ id, at }) => ({ worklogId: Number(id), updatedTime: at, properties: [] })),
        since,
        until,
        self: `${self}?since=${since}`,
        ...(lastPage ? {} : { nextPage: `${self}?since=${until}` }),
        lastPage,
      });
    });
  }
  return app;
}

function setEstimate(issue: Issue, seconds: number, adjust: string, given?: string, reduceBy?: string): void {
  if (adjust === "leave") return;
  const known = issue.values.timetracking as { remaining: number | null } | null | undefined;
  const remaining = known?.remaining ?? null;
  if (adjust === "new") setRemaining(issue, readDuration(given) ?? remaining);
  else if (remaining !== null)
    setRemaining(issue, remaining - (adjust === "auto" ? seconds : (readDuration(reduceBy) ?? 0)));
}
