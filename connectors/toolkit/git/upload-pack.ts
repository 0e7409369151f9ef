import { Buffer, isUtf8 } from "node:buffer";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import { concatBytes, utf8 } from "#core/kernel/crypto.ts";
import { isOid, type ObjectFormat, oidLength } from "./object-format.ts";
import { createPackReceiver, type ReceivedPack } from "./pack-receiver.ts";
import { DELIM_PKT, encodePkt, FLUSH_PKT } from "./pkt-line.ts";
import { createPktStream, cutOff, type PktStream, rawText, serverError, textOf } from "./pkt-stream.ts";
import { compareRefNames, type GitRef, type RefListing, refNameProblem } from "./refs.ts";
import { parseRemoteProgress } from "./remote-progress.ts";
import { askGitServer, GIT_AGENT, type GitRemote } from "./smart-http.ts";

/** A server's capabilities by key; a key without a value maps to an empty string (git: gitprotocol-v2). */
export type UploadPackCapabilities = ReadonlyMap<string, string>;

/** Pack bytes that must arrive within one stall time after the pack has started; fewer = stalled. */
const PACK_PROGRESS_BYTES = 64 * 1024;

/** Reads the server's capabilities. @throws ConnectorError `unsupported` when it does not support protocol version 2 */
export async function uploadPackCapabilities(remote: GitRemote): Promise<UploadPackCapabilities> {
  const reader = await askGitServer(remote, { service: "git-upload-pack", version2: true });
  try {
    const pkts = createPktStream(reader);
    const capabilities = new Map<string, string>();
    let hasVersion = false;
    for (;;) {
      const pkt = await pkts.next();
      if (pkt === null) {
        if (!hasVersion) throw new ConnectorError("unavailable", "The git server gave an empty answer.");
        throw cutOff();
      }
      if (pkt.type === "flush" && hasVersion) break;
      if (pkt.type !== "data") continue;
      const line = textOf(pkt.bytes);
      if (line === "version 2") hasVersion = true;
      else if (hasVersion) {
        const at = line.indexOf("=");
        capabilities.set(at < 0 ? line : line.slice(0, at), at < 0 ? "" : line.slice(at + 1));
      } else if (!line.startsWith("# service=")) {
        throw new ConnectorError("unsupported", "The git server does not speak protocol version 2.");
      }
    }
    if (!capabilities.has("ls-refs") || !capabilities.has("fetch")) {
      throw new ConnectorError("unsupported", "The git server offers neither listing nor fetching.");
    }
    return capabilities;
  } finally {
    await reader.cancel();
  }
}

/**
 * Lists HEAD and the refs below the prefixes. An empty repository has no refs and a HEAD that names an unborn branch.
 * Prefixes are only a hint to the server, so the response is filtered again. Known capabilities save one request.
 *
 * @throws ConnectorError
 */
export async function lsRefs(
  remote: GitRemote,
  query: { prefixes: readonly string[]; capabilities?: UploadPackCapabilities },
): Promise<RefListing> {
  const capabilities = query.capabilities ?? (await uploadPackCapabilities(remote));
  const objectFormat = readObjectFormat(capabilities.get("object-format"));
  const prefixes = new Set(["HEAD", ...query.prefixes]);
  const body = concatBytes(
    ...commandHeader("ls-refs", objectFormat),
    encodePkt("peel\n"),
    encodePkt("symrefs\n"),
    ...((capabilities.get("ls-refs") ?? "").split(" ").includes("unborn") ? [encodePkt("unborn\n")] : []),
    ...[...prefixes].map((prefix) => encodePkt(`ref-prefix ${prefix}\n`)),
    FLUSH_PKT,
  );
  const reader = await askGitServer(remote, { service: "git-upload-pack", body, version2: true });
  try {
    const listing = await readRefs(createPktStream(reader), objectFormat);
    const isAsked = (ref: { name: string }) => query.prefixes.some((prefix) => ref.name.startsWith(prefix));
    listing.refs = listing.refs.filter(isAsked).sort((a, b) => compareRefNames(a.name, b.name));
    listing.rejected = listing.rejected.filter(isAsked);
    listing.respelt = listing.respelt.filter((name) => isAsked({ name }));
    return listing;
  } finally {
    await reader.cancel();
  }
}

async function readRefs(pkts: PktStream, objectFormat: ObjectFormat): Promise<RefListing> {
  const listing: RefListing = {
    head: { target: null, oid: null },
    refs: [],
    objectFormat,
    rejected: [],
    respelt: [],
  };
  const seen = new Set<string>();
  for (;;) {
    const pkt = pkts.buffered() ?? (await pkts.next());
    if (pkt === null) throw cutOff();
    if (pkt.type === "flush") return listing;
    if (pkt.type !== "data") throw new ConnectorError("malformed", "The list of refs is broken.");
    const [oid = "", name = "", ...attributes] = nameText(pkt.bytes).split(" ");
    const target = attribute(attributes, "symref-target:");
    if (name === "HEAD") {
      listing.head = { target: target ?? null, oid: oid === "unborn" ? null : checkOid(oid, objectFormat) };
      continue;
    }
    if (oid === "unborn") continue; // another unborn symbolic ref
    const problem = refNameProblem(name);
    if (problem !== null) listing.rejected.push({ name, reason: problem });
    else if (!seen.has(name)) {
      seen.add(name);
      if (!isUtf8(pkt.bytes)) listing.respelt.push(name);
      const ref: GitRef = { name, oid: checkOid(oid, objectFormat) };
      const peeled = attribute(attributes, "peeled:");
      if (peeled !== undefined) ref.peeled = checkOid(peeled, objectFormat);
      listing.refs.push(ref);
    }
  }
}

/** Text of a line whose names may not be UTF-8: each invalid byte becomes `%FC`, which git allows in a name. */
function nameText(line: Uint8Array): string {
  if (isUtf8(line)) return textOf(line);
  const spelt = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return Buffer.from(line)
    .toString("latin1")
    .replace(/\n$/, "")
    .replace(/[\x80-\xff]/g, spelt);
}

function attribute(attributes: string[], key: string): string | undefined {
  return attributes.find((text) => text.startsWith(key))?.slice(key.length);
}

function checkOid(oid: string, format: ObjectFormat): string {
  if (isOid(oid, format)) return oid;
  throw new ConnectorError("malformed", "The list of refs holds something that is no object name.");
}

function readObjectFormat(value: string | undefined): ObjectFormat {
  if (value === undefined || value === "sha1") return "sha1";
  if (value === "sha256") return "sha256";
  throw new ConnectorError(
    "unsupported",
    `The repository uses an unknown object format '${value.slice(0, 20)}'.`,
  );
}

function commandHeader(command: string, objectFormat: ObjectFormat): Uint8Array[] {
  return [
    encodePkt(`command=${command}`),
    encodePkt(`agent=${GIT_AGENT}`),
    encodePkt(`object-format=${objectFormat}`),
    DELIM_PKT,
  ];
}

/** What to fetch and where it goes. */
export type FetchPackOrder = {
  /** Object names to fetch; thousands are fine. */
  wants: readonly string[];
  /** Object names whose whole history is already stored; the server ignores unknown ones. */
  haves: readonly string[];
  objectFormat: ObjectFormat;
  /** Receives the complete pack, including its trailer. */
  sink: ByteSink;
  onProgress?: (progress: Progress) => void;
  /**
   * Only the wanted commits themselves, without their history, and of their content what the filter lets through (git:
   * rev-list, `--filter`). The server must have the features `shallow` and `filter` of `fetch`. Absent = everything.
   */
  filter?: string;
};

/** A completely received pack. */
export type FetchedPack = ReceivedPack & {
  /** Commits whose parents the server itself lacks: its copy is shallow. */
  shallow: string[];
};

/**
 * Fetches everything reachable from `wants` and not from `haves` as one self-contained pack: with offset deltas,
 * never thin. The sink receives bytes before the trailer is checked, so discard them if this throws.
 *
 * @throws ConnectorError; one that `isRefsMoved` recognises when a want is gone from the server
 */
export async function fetchPack(remote: GitRemote, order: FetchPackOrder): Promise<FetchedPack> {
  const body = fetchRequest(order);
  const reader = await askGitServer(remote, { service: "git-upload-pack", body, version2: true });
  try {
    const pkts = createPktStream(reader);
    const shallow = await readSectionsBeforePack(pkts);
    const receiver = createPackReceiver(order.objectFormat, order.sink);
    /* The total is dropped: it covers only the server's own counting, so a progress bar would fill and restart. */
    const faults = createFaults();
    const remoteProgress = parseRemoteProgress(
      (progress) => order.onProgress?.({ ...progress, total: null }),
      faults.add,
    );
    for (;;) {
      const pkt = pkts.buffered() ?? (await pkts.next());
      const fault = faults.first();
      if (pkt === null) throw fault === null ? cutOff() : serverError(fault, fault);
      if (pkt.type === "flush") break;
      if (pkt.type !== "data")
        throw new ConnectorError("malformed", "The pack is interrupted by a strange line.");
      const band = pkt.bytes[0];
      if (band === 1) {
        if (!receiver.take(pkt.bytes, 1)) {
          await receiver.flush();
          reader.expectProgress(PACK_PROGRESS_BYTES);
          const done = receiver.received();
          order.onProgress?.({ phase: "Receiving objects", done, total: null, unit: "bytes" });
        }
      } else if (band === 2) remoteProgress(rawText(pkt.bytes.subarray(1)));
      else if (band === 3) throw serverError(textOf(pkt.bytes.subarray(1)), fault);
      else throw new ConnectorError("malformed", "The git server uses an unknown side-band.");
    }
    return { ...(await receiver.finish()), shallow };
  } finally {
    await reader.cancel();
  }
}

/**
 * The commits at a depth: 1 = the wanted ones, 2 = their parents, and so on. The server answers as for a shallow clone,
 * and is left before it sends a pack. Needs the server's feature `shallow` of `fetch`.
 *
 * @param order.filter Keeps the pack small that the server begins to make, where it has the feature `filter`.
 * @throws ConnectorError as `fetchPack`
 */
export async function commitsAtDepth(
  remote: GitRemote,
  order: {
    wants: readonly string[];
    objectFormat: ObjectFormat;
    depth: number;
    filter?: string | undefined;
  },
): Promise<string[]> {
  const body = fetchRequest({ ...order, haves: [] });
  const reader = await askGitServer(remote, { service: "git-upload-pack", body, version2: true });
  try {
    const shallow = await readSectionsBeforePack(createPktStream(reader));
    return shallow.map((oid) => checkOid(oid, order.objectFormat));
  } finally {
    await reader.cancel();
  }
}

/** Keeps why git stopped: its first fatal line, or else its first error. */
function createFaults() {
  let fatal: string | null = null;
  let error: string | null = null;
  return {
    add(line: string): void {
      if (line.startsWith("fatal: ")) fatal ??= line;
      else error ??= line;
    },
    first: () => fatal ?? error,
  };
}

type FetchRequest = Pick<FetchPackOrder, "wants" | "haves" | "objectFormat" | "onProgress"> & {
  filter?: string | undefined;
  /** How many commits behind each other; absent = all, or one with a filter. */
  depth?: number;
};

function fetchRequest({ wants, haves, objectFormat, onProgress, filter, depth }: FetchRequest): Uint8Array {
  const deepen = depth ?? (filter === undefined ? null : 1);
  const lines: string[] = [];
  // Lines of equal length are joined as text: encoding tens of thousands individually would cost more.
  const length = (4 + "want ".length + oidLength(objectFormat) * 2 + 1).toString(16).padStart(4, "0");
  for (const oid of wants) lines.push(`${length}want ${checkOid(oid, objectFormat)}\n`);
  for (const oid of haves) lines.push(`${length}have ${checkOid(oid, objectFormat)}\n`);
  return concatBytes(
    ...commandHeader("fetch", objectFormat),
    encodePkt("ofs-delta"),
    ...(onProgress === undefined ? [encodePkt("no-progress")] : []),
    utf8(lines.join("")),
    ...(deepen === null ? [] : [encodePkt(`deepen ${deepen}\n`)]),
    ...(filter === undefined ? [] : [encodePkt(`filter ${filter}\n`)]),
    encodePkt("done\n"),
    FLUSH_PKT,
  );
}

/** Reads up to the line `packfile`; unrequested sections may precede it. */
async function readSectionsBeforePack(pkts: PktStream): Promise<string[]> {
  const shallow: string[] = [];
  let section: string | null = null;
  for (;;) {
    const pkt = await pkts.next();
    if (pkt === null) throw cutOff();
    if (pkt.type === "delim") section = null;
    else if (pkt.type === "data") {
      const line = textOf(pkt.bytes);
      if (section === null) {
        if (line === "packfile") return shallow;
        section = line;
      } else if (section === "shallow-info" && line.startsWith("shallow ")) shallow.push(line.slice(8));
    } else throw new ConnectorError("malformed", "The git server's answer holds no pack.");
  }
}
