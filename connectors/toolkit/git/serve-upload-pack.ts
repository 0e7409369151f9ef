import { Buffer } from "node:buffer";
import type { UploadPackAnswer } from "#connectors/contract/platform-connector.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { type BareRepository, soundRefs } from "./bare-repository.ts";
import type { PackBytes } from "./join-packs.ts";
import { isOid, zeroOid } from "./object-format.ts";
import { createPktParser, encodePkt, FLUSH_PKT, MAX_PKT_LENGTH } from "./pkt-line.ts";
import { textOf } from "./pkt-stream.ts";

type Repository = Pick<BareRepository, "refs" | "head" | "objectFormat">;

const NAK = encodePkt("NAK\n");
/** Bytes of a pack in one pkt-line: its length and its band come first. */
const FRAME_BYTES = MAX_PKT_LENGTH - 5;
const FRAMES_PER_PIECE = 16;

/**
 * The refs as a server lists them to a client that clones (git: gitprotocol-http, gitprotocol-pack; protocol version
 * 0, which every client accepts). Nothing is offered but whole history: no shallow and no partial clone.
 */
export function advertiseRefs({ refs, head, objectFormat }: Repository): Uint8Array {
  const sound = soundRefs(refs);
  const target = sound.find(({ name }) => name === head.target);
  const headOid = head.target === null ? head.oid : (target?.oid ?? null);
  const abilities = [
    ...["side-band-64k", "ofs-delta", "no-progress", `object-format=${objectFormat}`, "agent=holdfast"],
    ...(target === undefined ? [] : [`symref=HEAD:${target.name}`]),
  ].join(" ");
  const lines = [
    ...(headOid === null ? [] : [`${headOid} HEAD`]),
    ...sound.flatMap(({ name, oid, peeled }) => [
      `${oid} ${name}`,
      ...(peeled === undefined ? [] : [`${peeled} ${name}^{}`]),
    ]),
  ];
  const [first = `${zeroOid(objectFormat)} capabilities^{}`, ...others] = lines;
  return Buffer.concat([
    encodePkt("# service=git-upload-pack\n"),
    FLUSH_PKT,
    encodePkt(`${first}\0${abilities}\n`),
    ...others.map((line) => encodePkt(`${line}\n`)),
    FLUSH_PKT,
  ]);
}

/**
 * Answers a client that wants objects: everything there is, as one pack, whatever the client has. A client that only
 * lists what it has gets `NAK` until it sends `done`. Anything else gets an `ERR` line, which git shows.
 */
export function answerUploadPack(
  request: Uint8Array,
  repository: Repository,
  pack: PackBytes,
): UploadPackAnswer {
  const refused = (why: string) => whole(encodePkt(`ERR upload-pack: ${why}`));
  const { wants, isDone, hasBands, problem } = parseRequest(request, repository);
  if (problem !== null) return refused(problem);
  if (wants.length === 0) return whole(new Uint8Array(0));
  const known = new Set([
    ...repository.refs.flatMap(({ oid, peeled }) => [oid, peeled]),
    repository.head.oid,
  ]);
  const strange = wants.find((oid) => !known.has(oid));
  if (strange !== undefined) return refused(`not our ref ${strange}`);
  if (!isDone) return whole(NAK);
  if (!hasBands) {
    return {
      length: NAK.length + pack.length,
      body: async function* () {
        yield NAK;
        yield* pack.read();
      },
    };
  }
  const frames = Math.ceil(pack.length / FRAME_BYTES);
  return {
    length: NAK.length + pack.length + frames * 5 + FLUSH_PKT.length,
    body: async function* () {
      yield NAK;
      yield* framed(pack);
      yield FLUSH_PKT;
    },
  };
}

const whole = (bytes: Uint8Array): UploadPackAnswer => ({
  length: bytes.length,
  body: async function* () {
    if (bytes.length > 0) yield bytes;
  },
});

function parseRequest(request: Uint8Array, { objectFormat }: Repository) {
  const pkts = createPktParser();
  pkts.push(request);
  const wants: string[] = [];
  const parsed = { wants, isDone: false, hasBands: false, problem: null as string | null };
  try {
    for (let pkt = pkts.next(); pkt !== null; pkt = pkts.next()) {
      if (pkt.type !== "data") continue;
      const [word = "", oid = "", ...abilities] = textOf(pkt.bytes).split(" ");
      if (word === "done") parsed.isDone = true;
      else if (word === "want" && isOid(oid, objectFormat)) {
        wants.push(oid);
        if (abilities.includes("side-band-64k")) parsed.hasBands = true;
      } else if (word !== "have") parsed.problem = `'${word.slice(0, 20)}' is not offered`;
    }
  } catch {
    parsed.problem = "the request is broken";
  }
  if (pkts.isMidPkt()) parsed.problem ??= "the request is cut off";
  return parsed;
}

/** A pack in pkt-lines of the first band. A piece is valid until the next one is read. */
async function* framed(pack: PackBytes): AsyncGenerator<Uint8Array, void> {
  const piece = new Uint8Array(FRAMES_PER_PIECE * MAX_PKT_LENGTH);
  let used = 0;
  /** Bytes of the pack that no frame has announced, and what is missing in the last frame. */
  let unframed = pack.length;
  let open = 0;
  for await (const bytes of pack.read()) {
    for (let at = 0; at < bytes.length; ) {
      if (open === 0) {
        if (used > piece.length - MAX_PKT_LENGTH) {
          yield piece.subarray(0, used);
          used = 0;
        }
        open = Math.min(FRAME_BYTES, unframed);
        unframed -= open;
        piece.set(utf8(`${(open + 5).toString(16).padStart(4, "0")}\u0001`), used);
        used += 5;
      }
      const taken = Math.min(open, bytes.length - at);
      piece.set(bytes.subarray(at, at + taken), used);
      used += taken;
      open -= taken;
      at += taken;
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}
