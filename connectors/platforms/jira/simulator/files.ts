import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Attachment, JiraWorld } from "./state.ts";

/** Stores bytes in a file named by their hash; equal bytes are stored once. */
export function keepBytes(world: JiraWorld, bytes: Uint8Array): string {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = bytesFile(world, sha256);
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  return sha256;
}

/** Reads stored bytes; null when they are missing. */
export function readBytes(world: JiraWorld, sha256: string): Uint8Array | null {
  const file = bytesFile(world, sha256);
  return /^[0-9a-f]{64}$/.test(sha256) && existsSync(file) ? readFileSync(file) : null;
}

function bytesFile(world: JiraWorld, sha256: string): string {
  return path.join(world.directory, "attachments", sha256.slice(0, 2), sha256);
}

/** A file's name as Jira keeps it: without folders and control characters. */
export function mediaName(name: string): string {
  const clean = [...name].map((sign) => (sign < " " || "/\\".includes(sign) ? "_" : sign)).join("");
  return clean.trim() === "" ? "file" : clean;
}

/** The id by which documents refer to an attachment's file: a UUID of the media service, not the attachment's id. */
export function mediaIdOf(attachment: Attachment, cloudId: string): string {
  const hex = createHash("sha256").update(`${cloudId} ${attachment.id}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A signed address at the media host; it expires. Its path tells the media id. */
export function mediaAddress(world: JiraWorld, attachment: Attachment, cloudId: string): string {
  const expires = Date.now() + world.settings.mediaLifetimeMs;
  const { sha256, mimeType: type, fileName: name } = attachment;
  const token = `${sha256}.${sign(world, sha256, expires)}`;
  const query = new URLSearchParams({ token, expires: String(expires), type, name });
  return `${world.mediaUrl}/file/${mediaIdOf(attachment, cloudId)}/binary?${query}`;
}

/** The hash of the bytes that a signed address means; null when its signature is wrong or it has expired. */
export function signedHash(world: JiraWorld, query: URLSearchParams): string | null {
  const expires = Number(query.get("expires"));
  const [sha256 = "", signature] = (query.get("token") ?? "").split(".");
  return expires > Date.now() && signature === sign(world, sha256, expires) ? sha256 : null;
}

function sign(world: JiraWorld, sha256: string, expires: number): string {
  return createHmac("sha256", world.state.secret).update(`${sha256} ${expires}`).digest("hex");
}
