import { createHash, type Hash } from "node:crypto";
import { deflateSync } from "node:zlib";

const MIB = 1_048_576;
/** Blobs differ only in their last bytes. The rest is shared, so that its hash and checksum are computed once. */
const TAIL_BYTES = 16;
const LINE_BYTES = 65_515;
const STORED_BLOCK_BYTES = 65_535;
const ADLER = 65_521;

/** A repository generated on demand: one commit with incompressible blobs of 1 MiB. */
export type GeneratedRepository = {
  commit: string;
  /** Objects in its pack. */
  objects: number;
  /** Pkt-lines of side-band 1 that make up the pack, including its trailer. */
  packLines: () => Generator<Buffer>;
};

/** Prepares a repository of about this many bytes. Computes only hashes. */
export function generateRepository(bytes: number): GeneratedRepository {
  const count = Math.max(1, Math.ceil(bytes / MIB));
  const body = noise(MIB - TAIL_BYTES);
  const bodyHash = createHash("sha1").update(`blob ${MIB}\0`).update(body);
  const tree = object(
    "tree",
    Buffer.concat(
      Array.from({ length: count }, (_, i) =>
        Buffer.concat([Buffer.from(`100644 blob-${name(i)}\0`), bodyHash.copy().update(tail(i)).digest()]),
      ),
    ),
  );
  const who = "Bench <bench@example.test> 1700000000 +0000";
  const commit = object(
    "commit",
    Buffer.from(`tree ${tree.oid}\nauthor ${who}\ncommitter ${who}\n\n${count} blobs\n`),
  );
  return {
    commit: commit.oid,
    objects: count + 2,
    *packLines() {
      const hash = createHash("sha1");
      const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
      header.writeUInt32BE(count + 2, 8);
      const small = Buffer.concat([header, entry(1, commit.content), entry(2, tree.content)]);
      hash.update(small);
      yield* lines(small);
      yield* blobLines(count, body, hash);
      yield* lines(hash.digest());
    },
  };
}

/**
 * The entries of all blobs share their bytes except tail and checksum, so framed lines are patched instead of built.
 */
function* blobLines(count: number, body: Buffer, hash: Hash): Generator<Buffer> {
  const adler = adlerOf(body);
  const last = Buffer.alloc(TAIL_BYTES + 4);
  const shared = entryOfStoredBlob(Buffer.concat([body, Buffer.alloc(TAIL_BYTES)]), 0).subarray(
    0,
    -last.length,
  );
  const framed = Buffer.concat([...lines(shared)]);
  for (let i = 0; i < count; i++) {
    const end = tail(i);
    end.copy(last);
    last.writeUInt32BE(adlerOf(end, adler), TAIL_BYTES);
    hash.update(shared).update(last);
    yield Buffer.concat([framed, ...lines(last)]);
  }
}

function object(type: string, content: Buffer): { oid: string; content: Buffer } {
  const oid = createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");
  return { oid, content };
}

const name = (i: number) => String(i).padStart(6, "0");
const tail = (i: number) => Buffer.from(name(i).padStart(TAIL_BYTES, "."));

/** Incompressible bytes, the same in every run. */
function noise(length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 32) blocks.push(createHash("sha256").update(`noise ${at}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

function entry(type: number, content: Buffer): Buffer {
  return Buffer.concat([entryHeader(type, content.length), deflateSync(content)]);
}

/** A blob as an uncompressed zlib stream (RFC 1950, RFC 1951 section 3.2.4). */
function entryOfStoredBlob(content: Buffer, adler: number): Buffer {
  const parts = [entryHeader(3, content.length), Buffer.of(0x78, 0x01)];
  for (let at = 0; at < content.length; at += STORED_BLOCK_BYTES) {
    const block = content.subarray(at, at + STORED_BLOCK_BYTES);
    const head = Buffer.alloc(5);
    head[0] = at + block.length === content.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(adler);
  return Buffer.concat([...parts, sum]);
}

/** Type and size in git's pack format. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** Adler-32, continued from `start`. */
function adlerOf(bytes: Buffer, start = 1): number {
  let a = start & 0xffff;
  let b = start >>> 16;
  for (const byte of bytes) {
    a = (a + byte) % ADLER;
    b = (b + a) % ADLER;
  }
  return ((b << 16) | a) >>> 0;
}

function* lines(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const part = bytes.subarray(at, at + LINE_BYTES);
    yield Buffer.concat([
      Buffer.from(`${(part.length + 5).toString(16).padStart(4, "0")}\x01`, "latin1"),
      part,
    ]);
  }
}
