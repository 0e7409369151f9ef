import fc from "fast-check";
import { expect, test } from "vitest";
import { canSave, nameFault, withoutSpaces } from "./account-form-rules.ts";

const present = "nora-lindqvist";
const filled = { name: "meridian-freight", present, typed: present, isSubmitting: false };

test("a name is required, has at least two characters, and loses its spaces", () => {
  expect(nameFault("")).toBe("This field is required");
  expect(nameFault("a")).toBe("At least 2 characters");
  expect(nameFault("ab")).toBeNull();
  expect(withoutSpaces(" a b ")).toBe("ab");
  expect(withoutSpaces(" \t a\u00a0 ")).toBe("a");
});

test("no space remains in any input", () => {
  fc.assert(fc.property(fc.string(), (typed) => !/\s/.test(withoutSpaces(typed))));
});

test("a change requires a valid new name and the typed current one", () => {
  expect(canSave(filled)).toBe(true);
  const shut = [
    { name: "" },
    { name: "a" },
    { name: present },
    { name: present.toUpperCase() },
    { typed: "" },
    { typed: "Nora-Lindqvist" },
    { isSubmitting: true },
  ];
  for (const change of shut) expect([change, canSave({ ...filled, ...change })]).toEqual([change, false]);
});

test("a first account requires only a valid name", () => {
  expect(canSave({ ...filled, present: null, typed: "" })).toBe(true);
  expect(canSave({ ...filled, present: null, name: "a" })).toBe(false);
});
