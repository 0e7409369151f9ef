import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import { type ListPage, readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { authorAndDay, type GithubPull, pullAsListed, pullSchema } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { type AttachedText, backUpAttachments } from "./back-up-attachments.ts";
import { countKnown, withReactions } from "./back-up-issues.ts";
import { type PullFacts, readPullFacts } from "./read-pull-facts.ts";
import {
  itemsProgress,
  LARGEST_PAGE,
  openRepository,
  readNotes,
  THREADS_REST,
  writeNotes,
} from "./repository-run.ts";

const cursorSchema = z.string();
/** Page sizes for a few changes; more use `LARGEST_PAGE`. Pages shrink further when GitHub cannot return them. */
const PAGES = [5, 25];
const OVERLAP_MS = 5 * 60_000;

/**
 * Pull requests with their reviews. The list of issues contains the ones that changed. The list of pull requests, last
 * changed first, begins with the same ones. Any that it does not contain are read by number.
 */
export const pullsStage: BackupStage = {
  id: "pulls",
  optional: { kind: "pull-request", path: "pulls/", prefixes: ["pulls/"] },
  rests: THREADS_REST,
  async *run(run, cursor) {
    const { pulls: changed, areChangesKnown, totals } = readNotes(run);
    const missing = readMissing(run, changed);
    const mark = run.known?.marks.pulls ?? null;
    const hasNone = areChangesKnown && changed.size() === 0;
    const total = mark === null ? (totals?.pulls ?? null) : null;
    let done = 0;
    yield itemsProgress("Reading pull requests", done, total);
    let newest = mark;
    if (!hasNone) {
      let here = readCursor(cursorSchema, cursor);
      for await (const page of listPulls(run, mark, here)) {
        for (const { number, updated_at } of page.members) {
          missing.delete(number);
          changed.add(number);
          if (newest === null || updated_at > newest) newest = updated_at;
        }
        yield* pullRecords(run, page.members, { cursor: here });
        writeNotes(run, { pulls: changed.toText(), missingPulls: missing.toText() });
        done += page.members.length;
        yield itemsProgress("Reading pull requests", done, total);
        if (newest !== null) run.next.marks.pulls = newest;
        const isOld = mark !== null && page.members.some(({ updated_at }) => isBefore(updated_at, mark));
        const isThrough = isOld || (mark !== null && areChangesKnown && missing.size() === 0);
        if (page.next === null || isThrough) break;
        here = page.next;
        yield { type: "checkpoint", cursor: here };
      }
    }
    for (const number of [...missing.values()]) {
      const { client, getOne } = openRepository(run);
      yield* pullRecords(run, [
        await client.request(getOne(`/pulls/${number}`, `pull request #${number}`), pullSchema),
      ]);
      missing.delete(number);
      writeNotes(run, { missingPulls: missing.toText() });
    }
    run.next.counts.pulls = await countKnown(run, changed.values(), "pulls", recordPaths.pull);
  },
};

/** Pages of the list. A full read uses the order of creation, which is stable; otherwise last changed comes first. */
function listPulls(
  run: StagesRun,
  mark: string | null,
  from: string | null,
): AsyncGenerator<ListPage<GithubPull>, void> {
  const { client, get } = openRepository(run);
  const { pulls } = readNotes(run);
  const perPage = mark === null ? LARGEST_PAGE : (PAGES.find((size) => size > pulls.size()) ?? LARGEST_PAGE);
  const order =
    mark === null ? { sort: "created", direction: "asc" } : { sort: "updated", direction: "desc" };
  const call = get("/pulls", "the pull requests", { state: "all", ...order, per_page: perPage });
  return readPages(client, call, z.array(pullSchema), from);
}

/** Pull requests that are known to have changed and were not read yet. */
function readMissing(run: StagesRun, changed: NumberSet) {
  return readCursor(numberSetSchema, run.notes.missingPulls) ?? numberSet(changed.toText());
}

function isBefore(time: string, mark: string): boolean {
  return Date.parse(time) < Date.parse(mark) - OVERLAP_MS;
}

/** Yields the records of some pull requests and of their reviews. */
async function* pullRecords(
  run: StagesRun,
  pulls: readonly GithubPull[],
  page?: { cursor: Json },
): AsyncGenerator<BackupEvent, void> {
  const { facts, untold, long } = await readPullFacts(run, pulls);
  const texts: AttachedText[] = [];
  for (const pull of pulls) {
    const { mergedBy, reactions, reviews, resolved, reviewReactions } = facts.get(pull.number) ?? NO_FACTS;
    const path = recordPaths.pull(pull.number);
    texts.push(
      { text: pull.body, parent: path },
      ...reviews.map(({ body }) => ({ text: body, parent: path })),
    );
    yield {
      ...{ type: "record", path, kind: "pull-request", title: `#${pull.number} ${pull.title}` },
      value: withReactions(
        {
          ...(pullAsListed(pull) as { [key: string]: Json }),
          ...mergedBy,
          ...(resolved.length > 0 && { resolved_threads: resolved }),
        },
        reactions,
      ),
    };
    const alive = new Set<string>();
    for (const review of reviews) {
      const reviewPath = recordPaths.review(pull.number, review.id);
      alive.add(reviewPath);
      yield {
        ...{ type: "record", path: reviewPath, kind: "review", parent: path },
        title: authorAndDay(review.user, review.submitted_at),
        value: withReactions(review as Json, reviewReactions.get(review.id)),
      };
    }
    if (run.known === null) continue;
    for await (const old of run.order.previous?.list(recordPaths.reviews(pull.number)) ?? []) {
      if (!alive.has(old.path)) yield { type: "drop", path: old.path };
    }
  }
  if (untold !== null) {
    const reason = `Who reacted to reviews of some pull requests, and which conversations are resolved, is missing. ${untold.message}`;
    yield { type: "skipped", path: "pulls/", kind: "review", reason };
  }
  for (const number of long) {
    const reason = `Which conversations are resolved was read for the first hundred of #${number} only.`;
    yield { type: "skipped", path: recordPaths.pull(number), kind: "review-comment", reason };
  }
  yield* backUpAttachments(run, texts, page);
}

const NO_FACTS: PullFacts = {
  mergedBy: {},
  reactions: {},
  reviews: [],
  resolved: [],
  reviewReactions: new Map(),
};
