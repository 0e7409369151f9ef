import { expect, test } from "vitest";
import { fieldWords } from "./field-words.ts";

test("a field's name reads as words, however the platform writes it", () => {
  const names = ["default_branch", "defaultBranch", "color", "allow_squash_merge"];
  expect(names.map(fieldWords)).toEqual(["default branch", "default branch", "color", "allow squash merge"]);
});
