import { z } from "zod";
import type { Json } from "./canonical-json.ts";

/**
 * JSON stored in a row may be read by another version of the code than the one that wrote it, because runs continue
 * across deployments. It therefore carries the version of its form and is parsed before use.
 */

/** The result of reading. `unreadable` = the form of another version, or an unknown form. */
export type StoredValue<T> = { kind: "value"; value: T } | { kind: "unreadable" };

/** One form of stored JSON. */
export type StoredJson<T> = {
  write(value: T): T & { version: number };
  read(stored: unknown): StoredValue<T>;
  /** Reads a cursor. Null = no cursor, so the work starts from the beginning. @throws UnreadableCursorError */
  resume(stored: unknown): T | null;
};

/**
 * Thrown for a cursor that this code does not understand. The work cannot continue, and code that catches this must not
 * restart only its own part, because the run's other state would not match. The run restarts as a whole.
 */
export class UnreadableCursorError extends Error {
  override name = "UnreadableCursorError";
}

const envelopeSchema = z.looseObject({ version: z.int().optional() });

/**
 * Declares a form. Raise `version` when the contents or their meaning change; a row without a version is version 1.
 * Reject unknown members (`z.strictObject`): another version of the code may depend on them. The form's version takes the
 * name `version`, so no member may have it.
 *
 * @param earlier Reads earlier versions and converts them to this form.
 */
export function storedJson<S extends z.ZodType<object & { version?: never }>>(
  version: number,
  schema: S,
  earlier?: (stored: unknown) => StoredValue<z.output<S>>,
): StoredJson<z.output<S>> {
  const read = (stored: unknown): StoredValue<z.output<S>> => {
    const envelope = envelopeSchema.safeParse(stored);
    if (!envelope.success) return { kind: "unreadable" };
    const { version: written = 1, ...members } = envelope.data;
    if (written !== version) return earlier?.(stored) ?? { kind: "unreadable" };
    const parsed = schema.safeParse(members);
    return parsed.success ? { kind: "value", value: parsed.data } : { kind: "unreadable" };
  };
  return {
    write: (value) => ({ version, ...value }),
    read,
    resume(stored) {
      if (stored === null) return null;
      const found = read(stored);
      if (found.kind === "unreadable")
        throw new UnreadableCursorError("A cursor is not of a form that is known");
      return found.value;
    },
  };
}

/** Reads a part of a cursor, or data stored with it. Null = absent. @throws UnreadableCursorError */
export function readCursor<S extends z.ZodType>(schema: S, stored: unknown): z.output<S> | null {
  if (stored === null || stored === undefined) return null;
  const parsed = schema.safeParse(stored);
  if (!parsed.success) throw new UnreadableCursorError("A part of a cursor is not of a form that is known");
  return parsed.data;
}

/** A member that another parser validates. It must be present and not null. */
export const opaqueJson = z.custom<Json>((value) => value !== undefined && value !== null);
