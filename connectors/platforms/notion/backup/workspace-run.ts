import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { notionClient } from "../client.ts";
import type { NotionDataSource, NotionPage } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { type IdSet, idSets, idSetsSchema, packId, unpackId } from "./id-set.ts";

/**
 * Something to read. `rows`: the changed rows of a known data source; `check`: a page that may be deleted; `recheck`: a page that
 * Notion did not find once.
 */
export const TASK_KINDS = {
  page: "p",
  database: "d",
  source: "s",
  rows: "r",
  check: "c",
  recheck: "x",
  "check-database": "b",
} as const;
export type TaskKind = keyof typeof TASK_KINDS;
export type Task = { kind: TaskKind; id: string };

const KIND_OF = Object.fromEntries(Object.entries(TASK_KINDS).map(([kind, letter]) => [letter, kind]));

/** A page or database without a parent in the version. */
export type Root = { type: "page" | "database"; id: string; createdAt: string };

const rootSchema = z.tuple([z.enum(["page", "database"]), z.string(), z.string()]);
const notesSchema = z.strictObject({
  queue: z.string(),
  later: z.string(),
  done: z.number(),
  expected: z.number(),
  sets: idSetsSchema,
  roots: z.array(rootSchema),
  retry: z.array(z.string()),
  gone: z.array(z.string()),
  commentCalls: z.number(),
  hasComments: z.boolean(),
  calls: z.number(),
});

/** Requests between two checkpoints of the work; each writes the sets above. */
const REQUESTS_BETWEEN_POINTS = 20;
/** Pages of a search that are kept, so that they are not read again; they have few properties. Also what is above others. */
const MOST_KNOWN = 5_000;
/** Blocks whose comments a first backup reads, so that a small workspace has all comments at once. */
const FIRST_COMMENT_CALLS = 600;
/** Pages that the next backup reads again because parts of them could not be read. */
const MOST_RETRIES = 2_000;
const LENGTH_OF_TASK = 23;
/** Things that wait to be listed; they lie in the cursor. */
const MOST_LATER = 20_000;

/** What the stages of one slice share. Everything that a later slice needs is in the notes of the cursor. */
export type Work = {
  readonly run: StagesRun;
  readonly client: HttpClient;
  readonly previous: SnapshotView | null;
  /** Pages, databases, and new or changed rows that were queued or read in this run. */
  readonly seen: IdSet;
  /** Pages and databases that were found below a page. */
  readonly placed: IdSet;
  /** Pages and databases that a complete search listed. */
  readonly listed: IdSet;
  /** Pages that this run removed from the version. */
  readonly dropped: IdSet;
  /** Those of them that Notion showed in its trash: whatever is below them went along. */
  readonly trashed: IdSet;
  /** Blocks with comments that a page of this run no longer has. */
  readonly removed: IdSet;
  /** Parents that Notion does not give: the grant does not cover them. */
  readonly outside: IdSet;
  readonly roots: Map<string, Root>;
  /** Answers of the search in this slice, so that they are not read again. */
  readonly pages: Map<string, NotionPage>;
  readonly sources: Map<string, NotionDataSource>;
  /** Paths of the pages in which blocks, pages and databases were found in this slice. */
  readonly above: Map<string, string>;
  readonly retry: Set<string>;
  /** Titles of pages that Notion no longer finds. */
  readonly gone: string[];
  commentCalls: number;
  /** False = the connection may not read comments. */
  hasComments: boolean;
  push(task: Task): void;
  /** Queues a page or database that was found below a page, unless the version or the queue has it. */
  discover(kind: "page" | "database", id: string): Promise<void>;
  /** From now on, what is discovered waits if the search will list it: then it need not be asked for. */
  defer(): void;
  /** Queues what waited and was not listed. */
  undefer(): void;
  next(): Task | null;
  waiting(): number;
  done(): number;
  /** Counts something that was read beside the queue, such as a row. */
  finish(): void;
  /** More things that this run will read. */
  expect(more: number): void;
  /** How many things this run will read, as far as it counted them. */
  expected(): number;
  /** Requests of this run, over all slices. */
  calls(): number;
  count(kind: string, more: number): void;
  /** Whether enough happened since the last checkpoint. */
  isDue(): boolean;
  /** A checkpoint of the stage that runs. */
  point(cursor: Json): BackupEvent;
  /** Writes everything into the notes. Every stage ends with it. */
  save(): void;
};

/** Opens the work of a slice from the notes. The first slice starts with what the previous version left. */
export function openWork(run: StagesRun): Work {
  const { previous } = run.order;
  const stored = readCursor(notesSchema, run.notes.work) ?? begin(run);
  const queue = tasksOf(stored.queue);
  const later = tasksOf(stored.later);
  let isDeferring = false;
  const roots = new Map(stored.roots.map(([type, id, createdAt]) => [id, { type, id, createdAt }]));
  const { sets, gone } = stored;
  // Their order is part of the cursor.
  const [seen, placed, listed, dropped] = [sets.set(0), sets.set(1), sets.set(2), sets.set(3)];
  const retry = new Set(stored.retry);
  let head = 0;
  let { done, expected, calls } = stored;
  let sincePoint = 0;
  const session = {
    ...run.session,
    fetch: (url: string, init?: RequestInit) => {
      calls += 1;
      sincePoint += 1;
      return run.session.fetch(url, init);
    },
  };
  const work: Work = {
    run: { ...run, session },
    client: notionClient(session),
    previous,
    ...{ seen, placed, listed, dropped, trashed: sets.set(4), removed: sets.set(5), outside: sets.set(6) },
    roots,
    retry,
    gone,
    pages: new Map(),
    sources: new Map(),
    above: new Map(),
    commentCalls: stored.commentCalls,
    hasComments: stored.hasComments,
    push: (task) => void queue.push(task),
    async discover(kind, id) {
      placed.add(id);
      roots.delete(id);
      if (seen.has(id)) return;
      const path = kind === "page" ? recordPaths.page(recordPaths.pageHome(id)) : recordPaths.database(id);
      if ((await previous?.find(path)) != null) return;
      if (isDeferring && listed.has(id) && later.length < MOST_LATER) {
        later.push({ kind, id });
        return;
      }
      seen.add(id);
      queue.push({ kind, id });
    },
    defer() {
      isDeferring = true;
    },
    undefer() {
      isDeferring = false;
      for (const task of later.splice(0)) {
        if (seen.has(task.id)) continue;
        seen.add(task.id);
        queue.push(task);
      }
    },
    next() {
      const task = queue[head];
      if (task === undefined) return null;
      head += 1;
      done += 1;
      if (head > 1_000) head -= queue.splice(0, head).length;
      return task;
    },
    waiting: () => queue.length - head,
    done: () => done,
    finish: () => {
      done += 1;
    },
    expect: (more) => {
      expected += more;
    },
    expected: () => expected,
    calls: () => calls,
    count(kind, more) {
      run.next.counts[kind] = (run.next.counts[kind] ?? 0) + more;
    },
    isDue: () => sincePoint >= REQUESTS_BETWEEN_POINTS,
    point(cursor) {
      work.save();
      sincePoint = 0;
      return { type: "checkpoint", cursor };
    },
    save() {
      run.notes.work = {
        queue: textOf(queue, head),
        later: textOf(later, 0),
        done,
        expected,
        sets: sets.toText(),
        roots: [...roots.values()].map(({ type, id, createdAt }) => [type, id, createdAt]),
        retry: [...retry].slice(0, MOST_RETRIES),
        gone,
        commentCalls: work.commentCalls,
        hasComments: work.hasComments,
        calls,
      };
    },
  };
  return work;
}

function begin({ order, known }: StagesRun): z.output<typeof notesSchema> {
  const isFirst = order.previous === null;
  const roots = z.array(rootSchema).safeParse(JSON.parse(known?.marks.roots ?? "[]")).data ?? [];
  return {
    queue: "",
    later: "",
    done: 0,
    expected: 0,
    sets: idSets(),
    roots,
    retry: [],
    gone: [],
    commentCalls: isFirst ? FIRST_COMMENT_CALLS : 0,
    hasComments: true,
    calls: 0,
  };
}

/** Remembers a page of the search for the task that reads it. */
export function remember(work: Work, page: NotionPage): void {
  if (work.pages.size < MOST_KNOWN) work.pages.set(page.id, page);
}

/** Remembers the page in which a block, page or database was found. */
export function noteAbove({ above }: Work, id: string, path: string): void {
  if (above.size >= MOST_KNOWN) above.clear();
  above.set(id, path);
}

function textOf(queue: readonly Task[], head: number): string {
  return queue
    .slice(head)
    .map(({ kind, id }) => TASK_KINDS[kind] + packId(id))
    .join("");
}

function tasksOf(text: string): Task[] {
  const tasks: Task[] = [];
  for (let at = 0; at < text.length; at += LENGTH_OF_TASK) {
    const kind = KIND_OF[text[at] ?? ""] as TaskKind;
    tasks.push({ kind, id: unpackId(text.slice(at + 1, at + LENGTH_OF_TASK)) });
  }
  return tasks;
}
