import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { ObjectFormat } from "./object-format.ts";
import { compareRefNames, type GitHead, type GitRef, refNameProblem } from "./refs.ts";

/** A git pack of a snapshot. */
export type StoredPack = {
  /** The hash in its trailer, hexadecimal; git finds the pack's index by this name. */
  name: string;
  /** Path of the entry with its bytes. */
  entry: string;
  /** Whether its index exists, as the companion `idx` of the entry. */
  hasIdx: boolean;
  /** Companions of the entry that take the place of its own bytes and index. */
  instead?: { pack: string; idx: string };
};

/** The parts of a bare repository. */
export type BareRepository = {
  refs: readonly GitRef[];
  head: GitHead;
  objectFormat: ObjectFormat;
  packs: readonly StoredPack[];
  /** Folder of the repository, with a trailing slash, or empty. */
  prefix: string;
};

/** Companion name of a git pack's index. */
export const INDEX_COMPANION = "idx";

/**
 * The files of a bare repository that `git clone` can open from disk and over dumb HTTP. Packs stay as stored:
 * objects that occur in two packs are harmless in separate files, but would break a joined one. Refs are written only
 * to text files, so a ref name can never become a path.
 */
export async function* bareRepositoryFiles(repository: BareRepository): AsyncIterable<ExportFile> {
  const { head, packs, prefix } = repository;
  const refs = soundRefs(repository.refs);
  const text = (path: string, content: string): ExportFile => ({
    path: `${prefix}${path}`,
    source: "bytes",
    bytes: utf8(content),
  });
  const folder = (path: string): ExportFile => ({ path: `${prefix}${path}`, source: "directory" });

  yield text("HEAD", headFile(head));
  yield text("config", configFile(repository.objectFormat));
  yield text("packed-refs", packedRefs(refs));
  yield folder("refs/");
  yield folder("refs/heads/");
  yield folder("refs/tags/");
  yield folder("info/");
  yield text("info/refs", infoRefs(refs));
  yield folder("objects/");
  yield folder("objects/info/");
  yield text("objects/info/packs", `${packs.map((pack) => `P pack-${pack.name}.pack\n`).join("")}\n`);
  yield folder("objects/pack/");
  for (const pack of packs) {
    const path = `${prefix}objects/pack/pack-${pack.name}`;
    const { instead } = pack;
    if (instead) {
      yield { path: `${path}.pack`, source: "companion", entry: pack.entry, name: instead.pack };
      yield { path: `${path}.idx`, source: "companion", entry: pack.entry, name: instead.idx };
      continue;
    }
    yield { path: `${path}.pack`, source: "entry", entry: pack.entry };
    if (pack.hasIdx) {
      yield { path: `${path}.idx`, source: "companion", entry: pack.entry, name: INDEX_COMPANION };
    }
  }
}

/** The refs whose names git allows, in its order. */
export function soundRefs(refs: readonly GitRef[]): GitRef[] {
  return refs
    .filter((ref) => refNameProblem(ref.name) === null)
    .sort((a, b) => compareRefNames(a.name, b.name));
}

function headFile(head: GitHead): string {
  if (head.target !== null && refNameProblem(head.target) === null) return `ref: ${head.target}\n`;
  return head.oid === null ? "ref: refs/heads/main\n" : `${head.oid}\n`;
}

function configFile(format: ObjectFormat): string {
  const lines = [
    "[core]",
    `\trepositoryformatversion = ${format === "sha1" ? 0 : 1}`,
    "\tfilemode = true",
    "\tbare = true",
  ];
  if (format === "sha256") lines.push("[extensions]", "\tobjectformat = sha256");
  return `${lines.join("\n")}\n`;
}

function packedRefs(refs: readonly GitRef[]): string {
  const lines = refs.map(
    (ref) => `${ref.oid} ${ref.name}\n${ref.peeled === undefined ? "" : `^${ref.peeled}\n`}`,
  );
  return `# pack-refs with: peeled fully-peeled sorted \n${lines.join("")}`;
}

/** The file that a dumb HTTP client reads first (git: gitprotocol-http); it fetches HEAD separately. */
function infoRefs(refs: readonly GitRef[]): string {
  return refs
    .map(
      (ref) =>
        `${ref.oid}\t${ref.name}\n${ref.peeled === undefined ? "" : `${ref.peeled}\t${ref.name}^{}\n`}`,
    )
    .join("");
}
