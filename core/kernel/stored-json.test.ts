import { expect, test } from "vitest";
import { z } from "zod";
import { opaqueJson, readCursor, storedJson, UnreadableCursorError } from "./stored-json.ts";

const form = storedJson(1, z.strictObject({ at: z.int(), inner: opaqueJson }));
const later = storedJson(2, z.strictObject({ at: z.int() }));
const UNREADABLE = { kind: "unreadable" };

test("a written value is read back, and a value without a version is version 1", () => {
  const value = { at: 3, inner: { any: ["thing"] } };
  expect(form.write(value)).toEqual({ version: 1, ...value });
  expect(form.read(form.write(value))).toEqual({ kind: "value", value });
  expect(form.read(value)).toEqual({ kind: "value", value });
  expect(form.resume(value)).toEqual(value);
  expect(later.read({ at: 3 })).toEqual(UNREADABLE);
  expect(later.read({ version: 2, at: 3 })).toEqual({ kind: "value", value: { at: 3 } });
});

test("another version, an invalid form, or missing or extra members are unreadable", () => {
  const strange = [
    { version: 2, at: 3, inner: 1 },
    { version: "1", at: 3, inner: 1 },
    { at: 3 },
    { at: 3, inner: null },
    { at: 3, inner: 1, more: true },
    {},
    [],
    [{ at: 3, inner: 1 }],
    "at",
    7,
    undefined,
  ];
  for (const stored of strange) {
    expect(form.read(stored)).toEqual(UNREADABLE);
    expect(() => form.resume(stored)).toThrow(UnreadableCursorError);
  }
});

test("a form reads what its earlier version wrote, and writes its own version", () => {
  const both = storedJson(2, z.strictObject({ at: z.int() }), (stored) => {
    const first = form.read(stored);
    return first.kind === "value" ? { kind: "value", value: { at: first.value.at } } : first;
  });
  expect(both.read({ at: 3, inner: 1 })).toEqual({ kind: "value", value: { at: 3 } });
  expect(both.read({ version: 2, at: 3 })).toEqual({ kind: "value", value: { at: 3 } });
  for (const strange of [{ at: 3 }, { version: 2, at: 3, inner: 1 }, { version: 3, at: 3 }])
    expect(both.read(strange)).toEqual(UNREADABLE);
  expect(both.write({ at: 3 })).toEqual({ version: 2, at: 3 });
});

test("a missing cursor means the start", () => {
  expect(form.resume(null)).toBeNull();
  expect(readCursor(z.int(), null)).toBeNull();
  expect(readCursor(z.int(), undefined)).toBeNull();
  expect(readCursor(z.int(), 0)).toBe(0);
  expect(() => readCursor(z.int(), "0")).toThrow(UnreadableCursorError);
});
