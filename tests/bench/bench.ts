import { rmSync } from "node:fs";
import { join } from "node:path";
import type { GitHost } from "./git-host.ts";
import { benchVars, type Runtime, startRuntime } from "./runtime.ts";
import { openWorld, type World } from "./world.ts";

/** The memory limit of an isolate in production. */
export const HEAP_MIB = 128;

const PART_BYTES = 8 * 1_048_576;

/** The length in whole parts, which a bare put takes. */
export const inWholeParts = (bytes: number): number => Math.ceil(bytes / PART_BYTES) * PART_BYTES;

/** The sizes of everything. A quick run shows that the bench works; a full run gives the figures that count. */
export type Sizes = {
  /** Rounds for both sides, after one warm-up round. */
  rounds: number;
  /** P3: issues of the repository. */
  issues: number;
  /** P3 and P14: issues of the smaller and the larger repository or project for the whole engine. */
  records: [number, number];
  /** P3: blocks of the smaller and the larger workspace of pages for the whole engine. */
  blocks: [number, number];
  /** P7: cards of the smaller and the larger board. */
  cards: [number, number];
  /** P1 and P8: commits of the larger repository, with five objects each. */
  commits: number;
  refs: number;
  /** P15: bytes of the repository that is cloned, beside its text. */
  clonedBytes: number;
  /** P2: bytes of the repositories that receive the same change. */
  growth: number[];
  storeBytes: number;
  /** P5: the documents that are backed up for thirty days. */
  documents: { files: number; bytes: number };
  /** P12: open screens. */
  sockets: number;
  zipBytes: number;
  /** P7: bytes of the smaller and the larger stream. */
  memoryBytes: [number, number];
  scheduled: number[];
  /** P9: items of a region with several ledgers, and how many it has: at most 16. */
  spread: number;
  ledgers: number;
  /** Items in the lists that are paged through. */
  listed: number[];
  /** P9: due items, at most what one tick claims. */
  due: number;
};

/** The environment of a bench. */
export type Ground = {
  sizes: Sizes;
  /** This bench's own folder, deleted at its end. */
  folder: string;
  /** Folder of the bundled Worker. */
  bundled: string;
  host: GitHost;
  /** Folder of the host's bare repositories. */
  repositories: string;
  say: (text: string) => void;
};

/** One line of the table. */
export type Finding = {
  id: string;
  what: string;
  value: string;
  target: string;
  isMet: boolean;
  /** What was compared, and at which size. */
  note: string;
  /** The reason for missing the target. Printed only in that case. */
  bound?: string;
};

export type Bench = { id: string; run: (ground: Ground) => Promise<Finding[]> };

/** Runs `work` with a fresh runtime and one connected account. */
export async function withRuntime<T>(
  ground: Ground,
  work: (runtime: Runtime, world: World) => Promise<T>,
): Promise<T> {
  const data = join(ground.folder, "data");
  const runtime = await startRuntime({ bundled: ground.bundled, data }, benchVars(ground.host.url));
  try {
    return await work(runtime, await openWorld(runtime));
  } finally {
    await runtime.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

let items = 0;

/** Protects a repository of the host as a new item. */
export async function protect(ground: Ground, runtime: Runtime, world: World, name: string): Promise<string> {
  const externalId = String(1_000 + items++);
  ground.host.register(externalId, name);
  const { itemId } = await runtime.call<{ itemId: string }>("/item", { world, externalId, name });
  return itemId;
}

/** The result of a run. */
export type Ended = {
  milliseconds: number;
  snapshotId: string;
  bytesRead: number;
  bytesStored: number;
  report: { item?: { name: string } };
  counts: {
    rowsRead: number;
    rowsWritten: number;
    statements: number;
    bucketReads: number;
    bucketWrites: number;
    bytesStored: number;
    requests: number;
    coreRequests: number;
  };
};

/** Queues a run and executes it. Times only the execution. */
export async function doRun(
  runtime: Runtime,
  order: {
    world: World;
    kind: "backup" | "restore";
    itemId: string;
    snapshotId?: string;
    name?: string;
    isCounted?: boolean;
  },
): Promise<Ended> {
  const { isCounted = false, snapshotId = null, name = "", ...rest } = order;
  const { runId } = await runtime.call<{ runId: string }>("/queue", { ...rest, snapshotId, name });
  const [milliseconds, ended] = await timed(() =>
    runtime.call<Omit<Ended, "milliseconds">>("/run", { runId, kind: order.kind, isCounted }),
  );
  return { ...ended, milliseconds };
}

/** Runs `work` and returns its duration in milliseconds and its result. */
export async function timed<T>(work: () => Promise<T> | T): Promise<[number, T]> {
  const from = performance.now();
  const value = await work();
  return [performance.now() - from, value];
}

/** A finding from a ratio. */
export function finding(
  about: Pick<Finding, "id" | "what" | "note" | "bound">,
  ratio: { median: number; least: number; most: number },
  target: { atMost: number } | { atLeast: number },
): Finding {
  const isMet = "atMost" in target ? ratio.median <= target.atMost : ratio.median >= target.atLeast;
  const range = ratio.least === ratio.most ? "" : ` (${digits(ratio.least)}–${digits(ratio.most)})`;
  return {
    ...about,
    value: `${digits(ratio.median)}${range}`,
    target: "atMost" in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`,
    isMet,
  };
}

/** Rounds to the digits that matter. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value < 2 ? 3 : 2);
}

/** A human-readable size. */
export function size(bytes: number): string {
  const [unit, name] =
    bytes >= 1024 ** 3 ? [1024 ** 3, "GiB"] : bytes >= 1024 ** 2 ? [1024 ** 2, "MiB"] : [1024, "KiB"];
  return `${Number((bytes / (unit as number)).toFixed(1))} ${name}`;
}

/** Rejects measurements of incorrect results. @throws Error when the result is wrong */
export function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Error(`Not measured, because it is not right: ${what}`);
}
