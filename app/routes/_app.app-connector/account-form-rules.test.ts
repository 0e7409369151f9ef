import fc from "fast-check";
import { expect, test } from "vitest";
import { canSave, nameFault, withoutSpaces } from "./account-form-rules.ts";

const present = "nora-lindqvist";
const filled = { name: "meridian-freight", present, typed: present, isSubmitting: false };

test("a name is required, has two characters at least, and loses its spaces", () => {
  expect(nameFault("")).toBe("This field is required");
  expect(nameFault("a")).toBe("At least 2 characters");
  expect(nameFault("ab")).toBeNull();
  expect(withoutSpaces(" a b ")).toBe("ab");
  expect(withoutSpaces(" \t a\u00a0 ")).toBe("a");
});

test("no space survives, whatever is typed", () => {
  fc.assert(fc.property(fc.string(), (typed) => !/\s/.test(withoutSpaces(typed))));
});

test("a change is saved only when its name is valid and another one, and the present name was typed", () => {
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

test("a first account needs nothing but a valid name", () => {
  expect(canSave({ ...filled, present: null, typed: "" })).toBe(true);
  expect(canSave({ ...filled, present: null, name: "a" })).toBe(false);
});
