import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Bench, check, doRun, finding, protect, size, timed, withRuntime } from "../bench.ts";
import { median, type Pair, ratioOf } from "../statistics.ts";

/** P6: a download against the fastest response of the same runtime. */
export const zipDownload: Bench = {
  id: "P6",
  run: (ground) =>
    withRuntime(ground, async (runtime, world) => {
      const { folder } = ground;
      const bytes = ground.sizes.zipBytes;
      const itemId = await protect(ground, runtime, world, `generated-${bytes}`);
      const { snapshotId } = await doRun(runtime, { world, kind: "backup", itemId });
      const { path } = await runtime.call<{ path: string }>("/zip", { world, snapshotId });
      const version = `${world.organisationId}/${snapshotId}`;
      const native: Pair[] = [];
      const library: Pair[] = [];
      const digest = await hashOf(runtime.url + path);
      const speeds: Record<"zip" | "native" | "library", number[]> = { zip: [], native: [], library: [] };
      for (let round = 0; round <= ground.sizes.rounds; round++) {
        const [zip, zipBytes] = await timed(() => drain(runtime.url + path));
        const [concat, concatBytes] = await timed(() => drain(`${runtime.url}/native/${version}`));
        const [clientZip, clientZipBytes] = await timed(() => drain(`${runtime.url}/client-zip/${version}`));
        check(zipBytes === digest.bytes, "the length of the ZIP");
        check(concatBytes > bytes && clientZipBytes > bytes, "the length of what it is compared with");
        ground.say(
          `ZIP ${zip.toFixed(0)} ms, native ${concat.toFixed(0)} ms, client-zip ${clientZip.toFixed(0)} ms`,
        );
        if (round === 0) continue;
        native.push({ ours: zipBytes / zip, theirs: concatBytes / concat });
        library.push({ ours: zipBytes / zip, theirs: clientZipBytes / clientZip });
        speeds.zip.push(zipBytes / zip);
        speeds.native.push(concatBytes / concat);
        speeds.library.push(clientZipBytes / clientZip);
      }
      check((await hashOf(runtime.url + path)).hash === digest.hash, "two downloads of one ZIP");
      for (const address of [path, `/client-zip/${version}`])
        await proveZip(runtime.url + address, join(folder, "download.zip"));
      const rate = (values: number[]) => `${(median(values) / 1_000).toFixed(0)} MB/s`;
      const note = `${size(bytes)}, ${ground.sizes.rounds} rounds; ours ${rate(speeds.zip)}, native ${rate(speeds.native)}, client-zip ${rate(speeds.library)}. Both ZIPs pass \`unzip -t\``;
      const bound =
        "workerd's one thread, on which the local bucket's own reading takes most of the time of all three";
      const what = "ZIP download (decrypt, authenticate, frame) / ";
      return [
        finding(
          { id: "P6", what: `${what}native concatenation of the stored objects`, note, bound },
          ratioOf(native),
          {
            atLeast: 0.55,
          },
        ),
        finding(
          { id: "P6", what: `${what}client-zip over the same objects, undecrypted`, note, bound },
          ratioOf(library),
          {
            atLeast: 4,
          },
        ),
      ];
    }),
};

/** Downloads a response in its own process and discards it. @returns its length */
export async function drain(url: string): Promise<number> {
  const child = spawn("curl", ["-sS", "--fail", "-o", "/dev/null", "-w", "%{size_download}", url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise((settle) => child.once("close", settle));
  check(code === 0, `the whole answer of ${new URL(url).pathname.slice(0, 20)}`);
  return Number(text);
}

/** Downloads a ZIP to a file and lets Info-ZIP check every entry. */
async function proveZip(url: string, file: string): Promise<void> {
  for (const [tool, args] of [
    ["curl", ["-sS", "--fail", "-o", file, url]],
    ["unzip", ["-tqq", file]],
  ] as const) {
    const child = spawn(tool, args, { stdio: ["ignore", "ignore", "inherit"] });
    check((await once(child, "close"))[0] === 0, `${tool} of ${new URL(url).pathname.slice(0, 20)}`);
  }
  rmSync(file);
}

async function hashOf(url: string): Promise<{ hash: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const answer = await fetch(url);
  for await (const chunk of Readable.fromWeb(
    answer.body as NodeReadableStream,
  ) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { hash: hash.digest("hex"), bytes };
}
