import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Context, Hono } from "hono";
import type { ReleaseAsset } from "./records.ts";
import type { GithubWorld } from "./state.ts";

/** File that holds the bytes of a release asset. */
export function assetFile(world: GithubWorld, id: number): string {
  const folder = path.join(world.directory, "assets");
  mkdirSync(folder, { recursive: true });
  return path.join(folder, String(id));
}

/** The received part of an upload. */
export type Received = { size: number; sha256: string; isWhole: boolean };

/** Writes an upload to disk. If the client disconnects, the part received so far stays. */
export async function receiveAsset(
  world: GithubWorld,
  id: number,
  body: ReadableStream<Uint8Array> | null,
  expected: number,
): Promise<Received> {
  const hash = createHash("sha256");
  const file = createWriteStream(assetFile(world, id));
  let size = 0;
  try {
    for await (const chunk of body ? Readable.fromWeb(body as NodeReadableStream<Uint8Array>) : []) {
      hash.update(chunk);
      size += chunk.length;
      if (!file.write(chunk)) await new Promise<void>((resolve) => file.once("drain", () => resolve()));
    }
  } catch {
    // The connection broke. Like GitHub, keep what was received.
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
  return { size, sha256: hash.digest("hex"), isWhole: size === expected };
}

/** Writes bytes without an upload, e.g. for the seed. */
export function writeAsset(world: GithubWorld, id: number, bytes: Uint8Array): Received {
  writeFileSync(assetFile(world, id), bytes);
  return { size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex"), isWhole: true };
}

/** Deletes the asset's bytes. */
export function dropAsset(world: GithubWorld, asset: ReleaseAsset): void {
  rmSync(assetFile(world, asset.id), { force: true });
}

/** Returns a temporary link to the bytes that needs no credentials. */
export function signAsset(world: GithubWorld, asset: ReleaseAsset): string {
  const key = randomBytes(12).toString("hex");
  world.downloads.set(key, {
    file: assetFile(world, asset.id),
    name: asset.name,
    contentType: asset.contentType,
    expiresAt: Date.now() + world.settings.downloadMs,
  });
  return `${world.storageUrl}/release-assets/${key}?sp=r&sig=${randomBytes(9).toString("base64url")}`;
}

/**
 * The storage behind signed links, on another origin than the API. The signature is the only credential it accepts, so
 * it refuses requests with an `Authorization` header.
 */
export function storageRoutes(world: GithubWorld): Hono {
  const app = new Hono();
  app.get("/release-assets/:key", (c) => {
    if (c.req.header("authorization")) return refuse(c, 400, "InvalidAuthenticationInfo");
    const download = world.downloads.get(c.req.param("key"));
    if (!download) return refuse(c, 404, "BlobNotFound");
    if (download.expiresAt <= Date.now()) return refuse(c, 403, "AuthenticationFailed");
    const size = statSync(download.file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return refuse(c, 404, "BlobNotFound");
    const headers: Record<string, string> = {
      "Content-Type": download.contentType,
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(download.name)}`,
      "Accept-Ranges": "bytes",
    };
    const range = /^bytes=(\d+)-(\d*)$/.exec(c.req.header("range") ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
    if (range && start >= size) return refuse(c, 416, "InvalidRange");
    headers["Content-Length"] = String(size === 0 ? 0 : end - start + 1);
    if (range) headers["Content-Range"] = `bytes ${start}-${end}/${size}`;
    const bytes = size === 0 ? null : Readable.toWeb(createReadStream(download.file, { start, end }));
    return new Response(bytes as ReadableStream | null, { status: range ? 206 : 200, headers });
  });
  return app;
}

function refuse(c: Context, status: 400 | 403 | 404 | 416, code: string): Response {
  return c.body(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`, status, {
    "Content-Type": "application/xml",
  });
}
