import { jiraVars } from "#connectors/platforms/jira/simulator/index.ts";
import { openJiraWorld } from "#connectors/platforms/jira/test-world.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, type Finding, finding, type Ground } from "../bench.ts";
import { type FirstBackup, firstBackup } from "../first-backup.ts";
import { growth } from "../peaks.ts";

/** A project in which nothing happens is asked for itself, its statuses, changed issues and their number. */
const MOST_REQUESTS_AT_REST = 5;

/**
 * P14: the whole engine on a project with very many issues, each with a comment, in a heap as small as production's. The
 * memory of a first backup must not grow with the issues, and a backup without a change must ask and write next to nothing.
 */
export const manyIssues: Bench = {
  id: "P14",
  run: async (ground) => {
    const [fewer, more] = ground.sizes.records;
    const few = await backUpIssues(ground, fewer);
    const many = await backUpIssues(ground, more);
    const atRest = `${more} issues; the first backup asked ${many.first.counts.requests} times`;
    const about = (what: string, told: string) => ({ id: "P14", what, note: told });
    const next = many.next!.counts;
    return [
      ...growth(
        { id: "P14", in: "a first backup", what: `${more} / ${fewer} issues of a board`, atMost: 1.5 },
        { few, many },
      ),
      line(about("requests of a backup without a change", atRest), next.requests, MOST_REQUESTS_AT_REST),
      line(about("objects written by it", atRest), next.bucketWrites, 0),
    ];
  },
};

function line(about: Pick<Finding, "id" | "what" | "note">, value: number, atMost: number): Finding {
  return finding(about, { median: value, least: value, most: value }, { atMost });
}

async function backUpIssues(ground: Ground, issues: number): Promise<FirstBackup> {
  const jira = await openJiraWorld({ tokenLifetimeMs: DAY_MS });
  try {
    const project = await projectAtRest(jira);
    await jira.happen(`/sites/meridian/projects/${project.key}/generate`, { issues, comments: issues });
    for (const [index, issue] of jira.site.issues.entries()) {
      issue.updatedAt = Date.now() - (issues - index) * 10 * MINUTE_MS;
      issue.createdAt = issue.updatedAt;
      issue.indexDueAt = 0;
      // Each watched issue costs a call more, which says nothing about memory.
      issue.watcherIds = [];
    }
    await jira.issueToken();
    // The token that the bench's connection holds.
    jira.simulator.world.state.tokens.at(-1)!.value = "bench";
    const measured = await firstBackup(ground, {
      name: `${issues} issues of a board`,
      vars: formatVars(jiraVars(jira.simulator)),
      account: {
        platform: "jira",
        externalId: jira.site.cloudId,
        details: jira.connectionDetails,
        authMethod: "oauth",
      },
      item: { kind: "project", externalId: project.externalId, name: project.fullName },
      isRepeated: true,
    });
    check(measured.kinds.issue === issues, "every issue is in the version");
    check(measured.kinds.comment === issues, "every comment is in the version");
    return measured;
  } finally {
    await jira.stop();
  }
}

/** A project that is not read again today only because a week has passed. */
async function projectAtRest(jira: Awaited<ReturnType<typeof openJiraWorld>>) {
  for (let number = 1; ; number++) {
    const project = await jira.makeProject(`SIZE${number}`);
    if (![0, DAY_MS / 2].some((later) => isWholeDay(project.externalId, Date.now() + later))) return project;
  }
}
