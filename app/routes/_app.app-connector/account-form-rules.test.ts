import fc from "fast-check";
import { expect, test } from "vitest";
import { canSave, nameFault, typedName } from "./account-form-rules.ts";

const present = "nora-lindqvist";
const filled = { name: "meridian-freight", present, typed: present, isSubmitting: false };

test("a name is required and has at least two characters besides spaces around it", () => {
  expect(nameFault("")).toBe("This field is required");
  expect(nameFault("a")).toBe("At least 2 characters");
  expect(nameFault("ab")).toBeNull();
  expect(nameFault("  ")).toBe("This field is required");
  expect(nameFault(" a ")).toBe("At least 2 characters");
});

test("a login loses its spaces, and the name of a site keeps them", () => {
  expect(typedName("github", " a b ")).toBe("ab");
  expect(typedName("github", " \t a\u00a0 ")).toBe("a");
  expect(typedName("jira", "Harbour Works ")).toBe("Harbour Works ");
});

test("no space remains in any login", () => {
  fc.assert(fc.property(fc.string(), (typed) => !/\s/.test(typedName("gitlab", typed))));
});

test("a change requires a valid new name and the typed current one", () => {
  expect(canSave(filled)).toBe(true);
  const shut = [
    { name: "" },
    { name: "a" },
    { name: present },
    { name: present.toUpperCase() },
    { name: ` ${present} ` },
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
