import { AppError } from "#core/kernel/app-error.ts";
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import type { ItemRow } from "./items.store.ts";

/** The sort key of a list. It gives the start of a page even if that row no longer exists. */
type KeyRow = Pick<ItemRow, "nameFolded" | "id">;

/** Returns the key of a row, opaque to clients. */
export function pageKeyOf({ nameFolded, id }: KeyRow): string {
  return toBase64Url(utf8(JSON.stringify([nameFolded, id])));
}

/** Parses a key. @throws AppError `err.request.invalid` for an invalid key */
export function rowOfPageKey(key: string): KeyRow {
  try {
    const parsed: unknown = JSON.parse(fromUtf8(fromBase64Url(key)));
    if (Array.isArray(parsed) && parsed.length === 2) {
      const [nameFolded, id] = parsed as unknown[];
      if (typeof nameFolded === "string" && typeof id === "string") return { nameFolded, id };
    }
  } catch (cause) {
    throw new AppError("err.request.invalid", { message: "This is no key of a list's page.", cause });
  }
  throw new AppError("err.request.invalid", { message: "This is no key of a list's page." });
}
