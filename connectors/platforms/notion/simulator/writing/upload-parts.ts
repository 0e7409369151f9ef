import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { NotionWorld } from "../state.ts";

/** Keeps a part of an upload on disk; sent again, it takes the place of the first. Gives what is there so far. */
export function keepPart(
  world: NotionWorld,
  uploadId: string,
  number: number,
  bytes: Uint8Array,
): { sent: number; sizeBytes: number } {
  const folder = folderOf(world, uploadId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, String(number)), bytes);
  const names = readdirSync(folder);
  const sizes = names.map((name) => statSync(path.join(folder, name)).size);
  return { sent: names.length, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** All bytes of an upload, in the order of its parts, which are then removed. */
export function joinParts(world: NotionWorld, uploadId: string): Uint8Array {
  const folder = folderOf(world, uploadId);
  const names = readdirSync(folder).sort((a, b) => Number(a) - Number(b));
  const bytes = Buffer.concat(names.map((name) => readFileSync(path.join(folder, name))));
  rmSync(folder, { recursive: true });
  return new Uint8Array(bytes);
}

function folderOf({ directory }: NotionWorld, uploadId: string): string {
  return path.join(directory, "parts", uploadId);
}
