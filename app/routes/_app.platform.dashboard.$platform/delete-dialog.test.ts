import { expect, test } from "vitest";
import { isConfirmed } from "#app/components/typed-confirm.tsx";
import { confirmationOf } from "./delete-dialog.tsx";

test("[P-280] a single item is deleted only when its name is typed exactly", () => {
  const expected = confirmationOf([{ name: "Docs" }]);
  expect(isConfirmed(expected, "Docs")).toBe(true);
  for (const typed of ["docs", "Docs ", " Docs", "Doc", ""]) expect(isConfirmed(expected, typed)).toBe(false);
});

test("[P-281] several items are deleted only when 'I understand' is typed", () => {
  const expected = confirmationOf([{ name: "a" }, { name: "b" }]);
  expect(isConfirmed(expected, "I understand")).toBe(true);
  expect(isConfirmed(expected, "i understand")).toBe(false);
});
