import type { Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { LfsPointer } from "../object-facts.ts";
import { type ObjectFormat, oidLength } from "../object-format.ts";
import { commitText, forge, objectEntry, oidOf, treeBytes } from "../test-packs.ts";
import type { GitPlatform } from "./git-platform.ts";

/** A platform with pull requests, refs of its own and short limits. */
export const PLATFORM: GitPlatform = {
  name: "Forge",
  proposals: { refs: "refs/pull/", one: "pull request", branches: "pr/", branchKind: "pull-request-branch" },
  ownRefs: ["refs/own/"],
  splitAboveBytes: 2 * 64 * 1024 ** 2,
  cutAboveBytes: 2 * 64 * 1024 ** 2,
  push: { refsAtOnce: 2, unhurried: 3, spacingMs: 7 },
  advice: { "protected-ref": "Lift the protection." },
};

/** One commit with one file, as a pack of its own. `parents` are in other packs. */
export function commitPack(content: string, parents: readonly string[] = []) {
  const tree = treeBytes(["100644", "file", oidOf("blob", content)]);
  const commit = commitText(oidOf("tree", tree), parents, 1, content);
  const pack = forge([
    objectEntry("commit", commit),
    objectEntry("tree", tree),
    objectEntry("blob", content),
  ]);
  return { oid: oidOf("commit", commit), pack, hash: pack.subarray(-20).toString("hex") };
}

/** The entry of a chain for a pack. */
export function chainPack(
  path: string,
  pack: Uint8Array,
  tips: readonly string[],
  { base = true, format = "sha1" as ObjectFormat } = {},
) {
  const hash = Buffer.from(pack.subarray(-oidLength(format))).toString("hex");
  const objects = new DataView(pack.buffer, pack.byteOffset).getUint32(8);
  return { path, hash, objects, bytes: pack.length, tips: [...tips], base };
}

/** A version with these records and streams. */
export async function versionOf(
  records: Readonly<Record<string, Json>>,
  streams: Readonly<Record<string, Uint8Array>> = {},
): Promise<MemorySnapshot> {
  async function* events() {
    for (const [path, value] of Object.entries(records))
      yield { type: "record" as const, path, kind: "record", value };
    for (const [path, bytes] of Object.entries(streams)) {
      const kind = path.startsWith("lfs/") ? "lfs-object" : "git-pack";
      yield {
        type: "stream" as const,
        path,
        kind,
        write: async (sink: { write(chunk: Uint8Array): unknown }) => void (await sink.write(bytes)),
      };
    }
  }
  return await takeSnapshot(events());
}

/** A version of a repository whose packs belong together. */
export async function repositoryVersion(
  packs: readonly { pack: Uint8Array; tips: readonly string[]; base?: boolean }[],
  refs: { name: string; oid: string }[],
  {
    prefix = "git/",
    headOid = refs[0]?.oid ?? null,
    more = {} as Record<string, Uint8Array>,
    format = "sha1" as ObjectFormat,
  } = {},
): Promise<MemorySnapshot> {
  const paths = packs.map((_, at) => `${prefix}packs/0001-000${at + 1}.pack`);
  const chain = packs.map(({ pack, tips, base }, at) => chainPack(paths[at]!, pack, tips, { base, format }));
  return await versionOf(
    {
      [`${prefix}refs.json`]: {
        objectFormat: format,
        head: { target: refs[0]?.name ?? null, oid: headOid },
        refs,
      },
      [`${prefix}chain.json`]: { generation: 1, objectFormat: format, packs: chain, coveredTips: [] },
    },
    { ...Object.fromEntries(packs.map(({ pack }, at) => [paths[at]!, pack])), ...more },
  );
}

/** The text of a Git LFS pointer. */
export function pointerText({ oid, sizeBytes }: LfsPointer): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${sizeBytes}\n`;
}
