import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "#core/kernel/canonical-json.ts";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import {
  beginDraft,
  type ManifestRef,
  openSnapshot,
  type SnapshotDraft,
  type VaultDeps,
} from "#core/vault/index.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { type Bench, check, finding, size, timed } from "../bench.ts";
import { type DocumentSeries, isAttachment, makeDocumentSeries } from "../document-series.ts";
import { folderBucket } from "../folder-bucket.ts";
import { type Pair, ratioOf } from "../statistics.ts";

const DAYS = 30;
const scope = { organisationId: "org_bench", itemId: "itm_bench" };
const one = (value: number) => ({ median: value, least: value, most: value });

/**
 * P5: thirty days of the same documents in our store, in restic and in borg: what all versions take on the disk, and how
 * long the first and an unchanged backup take. Platforms report what has changed, so our unchanged backup reads no file; the
 * others look at every file.
 */
export const backupTools: Bench = {
  id: "P5",
  run: async ({ sizes, folder, say }) => {
    const documents = join(folder, "documents");
    mkdirSync(documents);
    const series = makeDocumentSeries(documents, sizes.documents);
    const ours = openStore(join(folder, "ours"), series);
    const restic = openRestic(folder, documents);
    const borg = openBorg(folder, documents);
    const [firstOurs] = await timed(() => ours.backUp(series.paths));
    const [firstRestic] = await timed(restic.backUp);
    await timed(borg.backUp);
    say(`first: ours ${firstOurs.toFixed(0)} ms, restic ${firstRestic.toFixed(0)} ms`);
    for (let day = 1; day < DAYS; day++) {
      const changed = series.passDay();
      await ours.backUp(changed);
      restic.backUp();
      borg.backUp();
    }
    const unchanged: Pair[] = [];
    let written = 0;
    for (let round = 0; round <= sizes.rounds; round++) {
      const before = bytesOf(ours.folder);
      const [theirs] = await timed(borg.backUp);
      const [mine] = await timed(() => ours.backUp([]));
      written += bytesOf(ours.folder) - before;
      say(`unchanged: ours ${mine.toFixed(1)} ms, borg ${theirs.toFixed(0)} ms`);
      if (round > 0) unchanged.push({ ours: mine, theirs });
    }
    await ours.prove();
    restic.prove();
    borg.prove();
    const stored = { ours: bytesOf(ours.folder), restic: bytesOf(restic.folder), borg: bytesOf(borg.folder) };
    const of = `${DAYS} days of ${series.paths.length} files, ${size(bytesOf(documents))}, of which 1 % change each day`;
    const sizesOf = `ours ${size(stored.ours)}, restic ${size(stored.restic)}, borg ${size(stored.borg)}`;
    return [
      finding(
        { id: "P5", what: "stored bytes of all versions / restic", note: `${of}: ${sizesOf}` },
        one(stored.ours / stored.restic),
        { atMost: 1.05 },
      ),
      finding(
        {
          id: "P5",
          what: "first backup / restic",
          note: `${of}: ${(firstOurs / 1_000).toFixed(1)} s against ${(firstRestic / 1_000).toFixed(1)} s`,
          bound: "one thread of JavaScript; restic compresses and hashes on all cores",
        },
        one(firstOurs / firstRestic),
        { atMost: 1.3 },
      ),
      finding(
        {
          id: "P5",
          what: "unchanged backup / borg",
          note: `${of}; borg looks at every file, the platform tells us that none changed`,
        },
        ratioOf(unchanged),
        { atMost: 0.5 },
      ),
      finding({ id: "P5", what: "bytes written by unchanged backups", note: of }, one(written), {
        atMost: 0,
      }),
    ];
  },
};

/** Our store over a folder, filled as a connector fills it. */
function openStore(folder: string, series: DocumentSeries) {
  const deps: VaultDeps = {
    bucket: folderBucket(folder),
    registry: memoryRegistry(),
    organisationKey: { version: 1, bytes: randomBytes(32) },
    ids: randomIds,
  };
  let previous: ManifestRef | null = null;
  const read = (path: string) => readFileSync(join(series.folder, path));
  const add = (draft: SnapshotDraft, path: string) =>
    isAttachment(path)
      ? draft.addStream({ path, kind: "attachment" }, async (sink) => sink.write(read(path)))
      : draft.addRecord({ path, kind: "issue", value: JSON.parse(read(path).toString()) as Json });
  return {
    folder,
    /** @param changed What the platform says has changed. */
    async backUp(changed: readonly string[]): Promise<void> {
      const draft = await beginDraft(deps, { scope, runId: randomIds.next("run"), previous, resume: null });
      draft.keepAll("");
      for (const path of changed) await add(draft, path);
      previous = (await draft.finish({ apiVersion: "1", account: "bench" })).manifest;
      await draft.discardTemporary();
    },
    /** Reads the newest version and compares it with the files. */
    async prove(): Promise<void> {
      const view = await openSnapshot(deps, {
        scope,
        manifest: previous!,
        companions: { find: async () => null },
      });
      let files = 0;
      for await (const { path } of view.list()) {
        files += 1;
        if (files % 50 > 1) continue;
        const bytes: Uint8Array[] = [];
        for await (const chunk of view.read(path)) bytes.push(chunk.slice());
        const text = Buffer.concat(bytes);
        const isSame = isAttachment(path)
          ? text.equals(read(path))
          : sorted(JSON.parse(text.toString())) === sorted(JSON.parse(read(path).toString()));
        check(isSame, `${path} of our version`);
      }
      check(files === series.paths.length, "every file of our version");
    },
  };
}

const sorted = (value: Json) =>
  JSON.stringify(value, (_, each: Json) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

function openRestic(folder: string, documents: string) {
  const repository = join(folder, "restic");
  const env = {
    RESTIC_PASSWORD: "bench",
    RESTIC_REPOSITORY: repository,
    RESTIC_CACHE_DIR: join(folder, "cache"),
  };
  run("restic", ["init", "-q"], env);
  return {
    folder: repository,
    backUp: () => run("restic", ["backup", "-q", documents], env),
    prove: () => run("restic", ["check", "-q"], env),
  };
}

function openBorg(folder: string, documents: string) {
  const repository = join(folder, "borg");
  const env = { BORG_PASSPHRASE: "bench", BORG_REPO: repository, BORG_BASE_DIR: folder };
  run("borg", ["init", "-e", "repokey-blake2"], env);
  return {
    folder: repository,
    backUp: () => run("borg", ["create", "-C", "zstd", `::${randomIds.next("run")}`, documents], env),
    prove: () => run("borg", ["check"], env),
  };
}

/** @throws Error with the tool's output, or how to get it */
function run(tool: string, args: readonly string[], env: Record<string, string>): void {
  const { error, status, stderr } = spawnSync(tool, args, {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (error) throw new Error(`${tool} is needed: apt-get install restic borgbackup`);
  if (status !== 0) throw new Error(`${tool} ${args[0]} failed: ${stderr}`);
}

function bytesOf(folder: string): number {
  const { stdout } = spawnSync("du", ["-sb", "--apparent-size", folder], { encoding: "utf8" });
  return Number(stdout.split("\t")[0]);
}
