import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { lend } from "#tests/harness/lend.ts";
import { GitPackError } from "./git-pack-error.ts";
import { inflateInPieces } from "./inflate-in-pieces.ts";
import { indexPack } from "./pack-index.ts";
import { encodePkt } from "./pkt-line.ts";
import { pushPack } from "./receive-pack.ts";
import { fetchPack } from "./upload-pack.ts";

/** Three commits, a tag and two OFS_DELTAs, packed by git; the SHA-1 of git's own index of them. */
const PACK = Buffer.from(
  "UEFDSwAAAAIAAAAKnQp4nIXKPQoCMRBA4T6nSC/I/CSbBGTRo8xMJmixrizx/iLY+4qvevNwj3mgW6/iVQckQqXGkrVYQxk1Z6iDmHGElxz+nFG8Q+HEWhQACqo2caqWW6fFrQGpLuwpyHve9yPeusSLXPVsa8QCv+Lpa7B92x5z+p8tGIcPypYussoGeJwtxdEKQEAQQNH3+Yp5V5plGVsSn7I7O0SJNCl/L+U+nHukTcUwE4sLLSt7rw2Rb3n2iUJ2kaUj4qarUxUI7DkV5dj31cDigrf7tuiFU47YxzGVMqBj+sPiE8DgBVLpHJydCnichcpLCkIxDEDReVfRuSDpJ/2APHQpSZqgg+eTUvcvgnPv4IzumqqeehwIyl0kZQY1MKIcZBRhsaggPcWIyb1o6nP5XoNRadTywDYksJokRUvYmUsrnI2RKzh6r/sx/W2Qv9CVz7L5UOGXP311cuz7Yy39szmJ7gNcZC/enQd4nIXKQQqAIBBA0b2nmH0Qo6YpRNRRZnSkFhKI3T+C9v3FW/3eRIAzGkSeiLH46MliiOyCs5SjE+NLCLo4iYruflwN9kyw0MZjWkHP+AXDq0pXrWfv8rOppNUDiV4glKECeJwBIQDe/zEwMDY0NCBmLnR4dADt7jeppZygvvukFDxUG8yfkdrKptcjD0KhAnicMzQwMDMxUUjTK6koYTh2VDCgdE5D7y2bpp77UVZySdnP7wAAwNkNk6ECeJwzNDAwMzFRSNMrqShhyFSbcUVxqcda+dO6rwUWhjaFbveaDQC0iwx1tlF4nEtUyMnMS1XIT1MoSa0o4Uoc5Y5yR7n05Rpz5eYXpULYo6zBwAIA9T3AqeIBLnicm8Y1jWtDCzOj0eaDzKGMkx8w2wAAO04GKuIBTHicm8Y1jWtDCzOj4eaDzKGMkx8w2wAAO0QGKV9FsXBWFCE+1NWQxJbXYvqhgro/",
  "base64",
);
const INDEX_SHA1 = "6609bb8cfa8396a1a45ac0dd49bf2c7d5286f1de";
const TIP = "d07c1967e744e500467f4b09d1a7c8007583b290";

function sourceOf(bytes: Uint8Array) {
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
}

/** A body that arrives through a pipe of the runtime in small writes, as from the network. */
function piped(bytes: Uint8Array, writeBytes: number): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  (async () => {
    for (let at = 0; at < bytes.length; at += writeBytes)
      await writer.write(bytes.subarray(at, at + writeBytes));
    await writer.close();
  })().catch(() => undefined);
  return readable;
}

function banded(pack: Uint8Array, lineBytes: number): Buffer {
  const lines: Uint8Array[] = [encodePkt("packfile\n")];
  for (let at = 0; at < pack.length; at += lineBytes) {
    lines.push(encodePkt(Buffer.concat([Buffer.of(1), pack.subarray(at, at + lineBytes)])));
  }
  return Buffer.concat([...lines, Buffer.from("0000")]);
}

function sealed(entries: Uint8Array[], count: number): Buffer {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(count, 8);
  const body = Buffer.concat([header, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** A blob of 9 MB followed by a small one. */
function largePack(): Buffer {
  const large = Buffer.alloc(9_000_000, "large ");
  const size = [0xb0 | (large.length % 16)];
  for (let rest = Math.floor(large.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    size.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
  }
  const small = Buffer.concat([Buffer.of(0x35), deflateSync("small")]);
  return sealed([Buffer.concat([Buffer.from(size), deflateSync(large)]), small], 2);
}

test("a pack indexed in the runtime equals git's index", async () => {
  const result = await indexPack(sourceOf(PACK), { objectFormat: "sha1" });
  if (result.kind !== "indexed") throw new Error("suspended");
  expect(
    createHash("sha1")
      .update(Buffer.concat([...result.idx()]))
      .digest("hex"),
  ).toBe(INDEX_SHA1);
  expect(result.counts).toEqual({ commit: 3, tree: 3, blob: 3, tag: 1 });
  expect(result.missing.count).toBe(0);
  expect(result.names.has(TIP)).toBe(true);
});

test("a large blob is inflated in pieces in the runtime, also as the last object, and damage is detected", async () => {
  const bytes = largePack();
  const whole = await indexPack(sourceOf(bytes), { objectFormat: "sha1" });
  const pieces = await indexPack(sourceOf(bytes), { objectFormat: "sha1", limits: { streamAboveBytes: 3 } });
  if (whole.kind !== "indexed" || pieces.kind !== "indexed") throw new Error("suspended");
  const small = createHash("sha1").update("blob 5\0small").digest("hex");
  expect(whole.names.has(small)).toBe(true);
  expect(Buffer.compare(Buffer.concat([...whole.idx()]), Buffer.concat([...pieces.idx()]))).toBe(0);
  const broken = Buffer.from(bytes);
  broken.fill(0xff, 5000, 5050);
  await expect(indexPack(sourceOf(broken), { objectFormat: "sha1" })).rejects.toThrow(GitPackError);
  const shorter = await indexPack(sourceOf(PACK.subarray(0, 300)), { objectFormat: "sha1" }).catch(
    (cause: unknown) => cause,
  );
  expect(shorter).toBeInstanceOf(GitPackError);
});

test("the checksum of an object that is inflated in pieces is read in the runtime, wherever its bytes begin", async () => {
  const compress = (length: number) => deflateSync(Buffer.alloc(length, 7), { level: 0 });
  // Pieces are of 4 KiB: the first one that has bytes of the checksum has one to four of them, or none beside.
  for (let last = 0; last <= 4; last++) {
    const length = 20_000 + ((last - compress(20_000).length) & 4_095);
    const compressed = compress(length);
    expect(compressed.length % 4_096).toBe(last);
    const inflate = async (bytes: Uint8Array) => {
      const inPack = Buffer.concat([bytes, Buffer.alloc(20)]);
      const load = async (at: number, wanted: number) => inPack.subarray(at, at + wanted);
      let produced = 0;
      for await (const piece of inflateInPieces({ load, sizeBytes: length, offset: 12 }))
        produced += piece.length;
      return produced;
    };
    expect(await inflate(compressed)).toBe(length);
    const damaged = Buffer.from(compressed);
    damaged[damaged.length - 1]! ^= 1;
    await expect(inflate(damaged)).rejects.toMatchObject({ code: "malformed" });
    await expect(inflate(compressed.subarray(0, -1))).rejects.toMatchObject({ code: "malformed" });
  }
});

test("a large blob with a damaged or a short checksum is refused in the runtime", async () => {
  const bytes = largePack();
  const small = Buffer.concat([Buffer.of(0x35), deflateSync("small")]);
  // The checksum is before the small blob, which is before the pack's own.
  const end = bytes.length - 20 - small.length;
  const damaged = Buffer.from(bytes.subarray(0, -20));
  damaged[end - 1]! ^= 1;
  const short = Buffer.concat([bytes.subarray(0, end - 1), small]);
  for (const body of [damaged, short]) {
    const pack = Buffer.concat([body, createHash("sha1").update(body).digest()]);
    const limits = { streamAboveBytes: 3 };
    await expect(indexPack(sourceOf(pack), { objectFormat: "sha1", limits })).rejects.toMatchObject({
      code: "malformed",
    });
  }
});

test("a fetched pack reaches the sink complete and in large chunks, whatever the network's chunk size", async () => {
  const pack = largePack();
  const noise = new Uint8Array(3_000_000).map((_, i) => (Math.imul(i, 2_654_435_761) >>> 13) & 255);
  const stored = Buffer.concat([
    Buffer.of(0xb0 | (noise.length % 16), 0x80 | (187_500 % 128), 0x80 | (1464 % 128), 11),
    deflateSync(noise),
  ]);
  for (const [bytes, lineBytes] of [
    [PACK, 50],
    [pack, 8000],
    [sealed([stored], 1), 60_000],
  ] as const) {
    const chunks: Buffer[] = [];
    const body = banded(bytes, lineBytes);
    const headers = { "content-type": "application/x-git-upload-pack-result" };
    const result = await fetchPack(
      {
        url: "https://git.example.test/x.git",
        fetch: async () => new Response(piped(body, 3000), { headers }),
      },
      {
        wants: [TIP],
        haves: [],
        objectFormat: "sha1",
        sink: { write: (chunk) => void chunks.push(Buffer.from(chunk)) },
      },
    );
    expect(result.bytes).toBe(bytes.length);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(chunks.slice(0, -1).every((chunk) => chunk.length >= 65_536)).toBe(true);
  }
});

test("a pushed pack has its exact length in the runtime, and a failing source fails the push", async () => {
  const zero = "0".repeat(40);
  const advertisement = Buffer.concat([
    encodePkt("# service=git-receive-pack\n"),
    Buffer.from("0000"),
    encodePkt(`${zero} capabilities^{}\0report-status object-format=sha1\n`),
    Buffer.from("0000"),
  ]);
  const report = Buffer.concat([
    encodePkt("unpack ok\n"),
    encodePkt("ok refs/heads/main\n"),
    Buffer.from("0000"),
  ]);
  let received: Uint8Array = new Uint8Array(0);
  const remote = {
    url: "https://git.example.test/x.git",
    fetch: async (url: string, init?: RequestInit) => {
      const isList = url.includes("info/refs");
      if (!isList) received = new Uint8Array(await new Request(url, init).arrayBuffer());
      const type = `application/x-git-receive-pack-${isList ? "advertisement" : "result"}`;
      return new Response(isList ? advertisement : report, { headers: { "content-type": type } });
    },
  };
  async function* pieces(fails: boolean): AsyncGenerator<Uint8Array> {
    yield* lend(PACK.subarray(0, fails ? 100 : PACK.length), [100]);
    if (fails) throw new Error("the vault does not open");
  }
  const order = {
    commands: [{ old: zero, new: TIP, ref: "refs/heads/main" }],
    packLength: PACK.length,
    objectFormat: "sha1" as const,
  };
  const result = await pushPack(remote, { ...order, pack: pieces(false) });
  expect(result.refs).toEqual([{ ref: "refs/heads/main", isUpdated: true }]);
  expect(Buffer.from(received).subarray(-PACK.length).equals(PACK)).toBe(true);
  await expect(pushPack(remote, { ...order, pack: pieces(true) })).rejects.toThrow("the vault does not open");
});
