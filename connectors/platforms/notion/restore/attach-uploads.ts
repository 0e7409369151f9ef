import type { JsonObject } from "./json-parts.ts";
import { isRefusal } from "./notion-calls.ts";
import type { Uploaded, Uploader } from "./upload-file.ts";

/**
 * Sends a request whose body names uploads. If Notion refuses it because some of them expired meanwhile, these are uploaded
 * again, and it is sent with their new ids: a refused request made nothing.
 * @throws ConnectorError
 */
export type Attacher = <T>(body: JsonObject, send: (body: JsonObject) => Promise<T>) => Promise<T>;

/** While many large files are uploaded again, others may expire. */
const ATTEMPTS = 3;

/**
 * Opens the one way in which a restore attaches files: of blocks, values, comments, icons and covers. An upload that is not
 * attached within an hour expires (developers.notion.com, "File uploads"): while many large ones were sent, or while Notion
 * let the restore wait, the first may have expired.
 */
export function openAttacher(uploader: Uploader, uploads: readonly Uploaded[]): Attacher {
  /** Ids of uploads that replace those by which bodies name them. */
  const renewed = new Map<string, string>();

  /** Uploads the expired ones of a body again; false = there is none. */
  const renew = async (body: JsonObject) => {
    const text = JSON.stringify(body);
    let isAny = false;
    for (const upload of uploads) {
      if (!text.includes(upload.id)) continue;
      if (await uploader.isOpen({ ...upload, id: renewed.get(upload.id) ?? upload.id })) continue;
      const again = await uploader.upload(upload.path, upload.name);
      if ("loss" in again) continue;
      renewed.set(upload.id, again.id);
      isAny = true;
    }
    return isAny;
  };

  return async (body, send) => {
    for (let tries = 1; ; tries++) {
      try {
        return await send(withIds(body, renewed));
      } catch (error) {
        if (!isRefusal(error) || tries === ATTEMPTS || !(await renew(body))) throw error;
      }
    }
  };
}

/** The body with the new ids of its uploads. */
function withIds(body: JsonObject, renewed: ReadonlyMap<string, string>): JsonObject {
  if (renewed.size === 0) return body;
  const text = JSON.stringify(body, (_, value) =>
    typeof value === "string" ? (renewed.get(value) ?? value) : value,
  );
  return JSON.parse(text) as JsonObject;
}
