import { createHmac } from "node:crypto";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Fields, KeptFile, NotionWorld } from "./state.ts";
import { now } from "./store.ts";

/**
 * Addresses of kept files: signed like those of S3, valid for an hour by the simulator's clock (contract:
 * `expiry_time`). Without the signature the address stays the same for good, as the bytes do.
 */

/** The same JSON with the addresses of kept files in place of their ids, and with the custom emojis that it names. */
export function signFiles(world: NotionWorld, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => signFiles(world, each));
  if (value === null || typeof value !== "object") return value;
  if (typeof value.file_id === "string") return { ...signed(world, value.file_id) };
  if (typeof value.emoji_id === "string") return renderEmoji(world, value.emoji_id);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, signFiles(world, each)]));
}

/** A custom emoji as answers show it. Its address needs no signature. */
export function renderEmoji(world: NotionWorld, emojiId: string): Fields {
  const { id, name, fileId } = world.state.emojis[emojiId]!;
  return { id, name, url: addressOf(world, world.state.files[fileId]!) };
}

/** The address of a kept file, and the time until which it works. */
export function signed(world: NotionWorld, fileId: string): { url: string; expiry_time: string } {
  const file = world.state.files[fileId];
  if (!file) throw new Error(`There is no file ${fileId}`);
  const at = now(world);
  const address = new URL(addressOf(world, file));
  address.searchParams.set("X-Amz-Date", String(at));
  address.searchParams.set("X-Amz-Expires", String(Math.round(world.settings.fileLifetimeMs / 1_000)));
  address.searchParams.set("X-Amz-Signature", signature(file, String(at)));
  return { url: address.href, expiry_time: new Date(at + world.settings.fileLifetimeMs).toISOString() };
}

/** The address of a file without a signature. */
export function addressOf({ fileUrl }: NotionWorld, { workspaceId, id, name }: KeptFile): string {
  return `${fileUrl}/${workspaceId}/${id}/${encodeURIComponent(name)}`;
}

/** The file that an address names, or why it gives none. Custom emojis need no signature: answers give no time. */
export function findSigned(
  world: NotionWorld,
  fileId: string,
  query: URLSearchParams,
): KeptFile | "denied" | "expired" {
  const file = world.state.files[fileId];
  if (!file) return "denied";
  if (Object.values(world.state.emojis).some((emoji) => emoji.fileId === fileId)) return file;
  const at = query.get("X-Amz-Date") ?? "";
  if (query.get("X-Amz-Signature") !== signature(file, at)) return "denied";
  const isOld = now(world) - Number(at) > world.settings.fileLifetimeMs;
  return isOld || Number(at) <= world.filesExpireAt ? "expired" : file;
}

/** A file that Notion keeps, as values and blocks hold it. */
export const keptFile = ({ id }: KeptFile): Fields => ({ type: "file", file: { file_id: id } });

function signature({ id, sha256 }: KeptFile, at: string): string {
  return createHmac("sha256", `${id} ${sha256}`).update(at).digest("hex");
}
