import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** An issue, pull request or discussion. All three share one sequence of numbers in a repository. */
export type Thread = { source: "issue" | "pull" | "discussion"; number: number; folder: string };

const SOURCES = [
  { source: "issue", prefix: "issues/", file: "issue.json" },
  { source: "pull", prefix: "pulls/", file: "pull.json" },
  { source: "discussion", prefix: "discussions/", file: "discussion.json" },
] as const;

/** The thread whose record is at the path; null = another entry. */
export function threadAt(path: string): Thread | null {
  const kind = SOURCES.find(({ prefix, file }) => path.startsWith(prefix) && path.endsWith(`/${file}`));
  return kind === undefined ? null : threadOf(path, kind);
}

/** Lists the issues, pull requests and discussions of a snapshot, ordered by number. */
export async function* listThreads(snapshot: SnapshotView): AsyncGenerator<Thread> {
  const walks = SOURCES.map((kind) => threadsOf(snapshot, kind));
  const heads = await Promise.all(walks.map(async (walk) => (await walk.next()).value ?? null));
  for (;;) {
    let least = -1;
    for (const [index, head] of heads.entries()) {
      if (head !== null && (least < 0 || head.number < heads[least]!.number)) least = index;
    }
    const thread = heads[least];
    if (!thread) return;
    yield thread;
    heads[least] = (await walks[least]!.next()).value ?? null;
  }
}

async function* threadsOf(
  snapshot: SnapshotView,
  kind: (typeof SOURCES)[number],
): AsyncGenerator<Thread, undefined> {
  for await (const { path } of snapshot.list(kind.prefix) as AsyncIterable<EntryInfo>) {
    const thread = path.endsWith(`/${kind.file}`) ? threadOf(path, kind) : null;
    if (thread !== null) yield thread;
  }
  return undefined;
}

function threadOf(path: string, { source, prefix, file }: (typeof SOURCES)[number]): Thread | null {
  const folder = path.slice(0, -file.length);
  const number = Number(folder.slice(prefix.length, -1));
  return Number.isSafeInteger(number) && number > 0 ? { source, number, folder } : null;
}
