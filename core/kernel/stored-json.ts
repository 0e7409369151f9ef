import { z } from "zod";
import type { Json } from "./canonical-json.ts";

/**
 * JSON that waits in a row may have been written by other code than the code that reads it: a deployment meets runs in
 * the middle. So it carries the version of its form and is parsed before anybody goes by it.
 */

/** What was read back. `unreadable` = another version's form, or none that is known. */
export type StoredValue<T> = { kind: "value"; value: T } | { kind: "unreadable" };

/** One form of stored JSON. */
export type StoredJson<T> = {
  write(value: T): T & { version: number };
  read(stored: unknown): StoredValue<T>;
  /** Reads a cursor; null = there is none, so the work begins. @throws UnreadableCursorError */
  resume(stored: unknown): T | null;
};

/**
 * Thrown for a cursor that this code does not understand. What the cursor belonged to cannot be gone on with: whoever
 * meets it begins nothing by itself, for the run's other states would not fit. The run starts again as a whole.
 */
export class UnreadableCursorError extends Error {
  override name = "UnreadableCursorError";
}

const envelopeSchema = z.looseObject({ version: z.int().optional() });

/**
 * Declares a form. Whoever changes what it holds or means raises `version`; a row that tells none is of version 1.
 * Members that the schema does not know should be refused (`z.strictObject`): they mean something to somebody.
 */
export function storedJson<S extends z.ZodType<object>>(version: number, schema: S): StoredJson<z.output<S>> {
  const read = (stored: unknown): StoredValue<z.output<S>> => {
    const envelope = envelopeSchema.safeParse(stored);
    if (!envelope.success) return { kind: "unreadable" };
    const { version: written = 1, ...members } = envelope.data;
    const parsed = written === version ? schema.safeParse(members) : null;
    return parsed?.success ? { kind: "value", value: parsed.data } : { kind: "unreadable" };
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

/** Reads a part of a cursor, or what travels with it; null = there is none. @throws UnreadableCursorError */
export function readCursor<S extends z.ZodType>(schema: S, stored: unknown): z.output<S> | null {
  if (stored === null || stored === undefined) return null;
  const parsed = schema.safeParse(stored);
  if (!parsed.success) throw new UnreadableCursorError("A part of a cursor is not of a form that is known");
  return parsed.data;
}

/** A member that its own reader parses; present, and never null. */
export const opaqueJson = z.custom<Json>((value) => value !== undefined && value !== null);
