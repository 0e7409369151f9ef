import { expect, test } from "vitest";
import { isRefsMoved, serverError, textOf } from "./pkt-stream.ts";

test("a server's message becomes one readable line", () => {
  const { message, kind } = serverError("aborting due to\n possible corruption.\0");
  expect([message, kind]).toEqual([
    "The git server reports: aborting due to possible corruption.",
    "unavailable",
  ]);
  expect(isRefsMoved(serverError("upload-pack: not our ref 1234"))).toBe(true);
  expect(serverError("Repository not found").kind).toBe("gone");
});

test("a line is kept letter by letter, without its line feed: a name may begin with a byte order mark", () => {
  const lineOf = (text: string) => textOf(new TextEncoder().encode(text));
  expect(lineOf("\ufeffmain\n")).toBe("\ufeffmain");
  expect(lineOf("two\n\n")).toBe("two\n");
  expect(lineOf("none")).toBe("none");
});
