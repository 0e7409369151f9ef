import { expect, test } from "vitest";
import { accountNames, NAMES_QUERY } from "./account-names.ts";

const namesOf = (text: string) => accountNames(new URLSearchParams({ [NAMES_QUERY]: text }));

test("[P-010] the names of workspaces are read from the address as a JSON array", () => {
  const search = new URLSearchParams('responseWorkspacesNamesArray=["meridian","harbour works"]');
  expect(accountNames(search)).toEqual(["meridian", "harbour works"]);
});

test("what is no list of names is no name, and each name stands once", () => {
  for (const text of ["", "meridian", "{", '{"0":"a"}', "null", "7", '["", " ", 1, null, ["a"]]']) {
    expect([text, namesOf(text)]).toEqual([text, []]);
  }
  expect(accountNames(new URLSearchParams())).toEqual([]);
  expect(namesOf('["a","b","a"]')).toEqual(["a", "b"]);
  expect(namesOf(JSON.stringify(Array.from({ length: 500 }, (_, at) => `site ${at}`)))).toHaveLength(100);
  expect(namesOf(JSON.stringify(["x".repeat(5_000)]))[0]).toHaveLength(100);
});
