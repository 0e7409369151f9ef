import { expect, test } from "vitest";
import { isRefsMoved, serverError } from "./pkt-stream.ts";

test("a server's message becomes one readable line", () => {
  const { message, kind } = serverError("aborting due to\n possible corruption.\0");
  expect([message, kind]).toEqual([
    "The git server reports: aborting due to possible corruption.",
    "unavailable",
  ]);
  expect(isRefsMoved(serverError("upload-pack: not our ref 1234"))).toBe(true);
  expect(serverError("Repository not found").kind).toBe("gone");
});
