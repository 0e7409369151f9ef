import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { nameBelow } from "#connectors/toolkit/records/drop-missing.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import { type BackupStage, mayGoWithout, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { askGraphql, countedNodesOf, pageInfo } from "../graphql.ts";
import { issueSchema } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { issueRecords } from "./back-up-issues.ts";
import { itemsProgress, openRepository, readNotes, reportHidden } from "./repository-run.ts";

const NUMBERS = `query Numbers($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: 100, after: $after) {
      nodes { number }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const schema = z.object({
  repository: z.object({
    issues: z.object({ nodes: countedNodesOf(z.object({ number: z.int() })), pageInfo }),
  }),
});
const cursorSchema = z.strictObject({
  after: z.string(),
  alive: numberSetSchema,
  hidden: z.int().nonnegative().default(0),
});
/** Numbers of the issues that exist, and how many issues GitHub lists without showing their numbers. */
type Alive = { numbers: NumberSet; hidden: number };

/**
 * Finds issues that were deleted or transferred. GitHub has no list of them, so this part compares GitHub's total with
 * the known count. Only if they differ, it reads the numbers of all issues, a hundred per request.
 */
export const deletionsStage: BackupStage = {
  id: "deletions",
  optional: { kind: "issue", path: "issues/", prefixes: [] },
  async *run(run, cursor) {
    const { totals, issues: seen, areChangesKnown } = readNotes(run);
    const known = run.next.counts.issues;
    // Issues that are switched off or inaccessible count as zero. That is no reason to drop the known ones.
    if (!areChangesKnown || totals === null || known === undefined || totals.issues === known) return;
    const alive = yield* readNumbers(run, cursor);
    yield* reportHidden(alive.hidden, { kind: "issue", path: "issues/", what: "issues" });
    const held = run.known === null ? numberSet() : yield* dropDead(run, alive, seen);
    for (const number of alive.numbers.values()) {
      if (seen.has(number) || held.has(number)) continue;
      yield* readLacking(run, number);
      seen.add(number);
    }
    for (const number of held.values()) seen.add(number);
    run.next.counts.issues = seen.size();
  },
};

async function* readNumbers(run: StagesRun, cursor: unknown): AsyncGenerator<BackupEvent, Alive> {
  const { owner, name, fullName } = openRepository(run);
  const resumed = readCursor(cursorSchema, cursor);
  const alive = resumed?.alive ?? numberSet();
  let hidden = resumed?.hidden ?? 0;
  for (let after = resumed?.after ?? null; ; ) {
    const question = { document: NUMBERS, variables: { owner, name, after }, schema };
    const answer = await askGraphql(run.session, { ...question, about: `the issues of ${fullName}` });
    const { nodes, pageInfo } = answer.repository.issues;
    for (const { number } of nodes.shown) alive.add(number);
    hidden += nodes.hidden;
    yield itemsProgress("Looking for deleted issues", alive.size(), readNotes(run).totals?.issues ?? null);
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return { numbers: alive, hidden };
    yield { type: "checkpoint", cursor: { after, alive: alive.toText(), hidden } };
  }
}

/**
 * Drops deleted issues of the previous snapshot and returns the numbers of those it still holds. If GitHub hides any
 * issue, nothing is dropped.
 */
async function* dropDead(
  run: StagesRun,
  { numbers: alive, hidden }: Alive,
  seen: NumberSet,
): AsyncGenerator<BackupEvent, NumberSet> {
  const held = numberSet();
  for await (const { path } of run.order.previous?.list("issues/") ?? []) {
    const number = Number(nameBelow("issues/", path));
    // An issue that this run read existed a moment ago. If it is gone by now, the next snapshot handles it.
    if (hidden > 0 || alive.has(number) || seen.has(number)) held.add(number);
    else yield { type: "drop", path };
  }
  return held;
}

/** Reads an issue that the list of changes did not contain, e.g. because it was transferred from another repository. */
async function* readLacking(run: StagesRun, number: number): AsyncGenerator<BackupEvent, void> {
  const { client, getOne } = openRepository(run);
  try {
    const issue = await client.request(getOne(`/issues/${number}`, `issue #${number}`), issueSchema);
    yield* issueRecords(run, [issue]);
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    const path = recordPaths.issue(number);
    yield { type: "skipped", path, kind: "issue", reason: error.message };
  }
}
