import { expect, test } from "vitest";
import { insertOf } from "./insert-of.ts";

test("a row becomes a statement, with quotes doubled and NULL kept", () => {
  expect(insertOf("user", { id: "usr_a", name: "O'Neil; --", age: 4, photo: null })).toBe(
    `INSERT OR REPLACE INTO "user" ("id", "name", "age", "photo") VALUES ('usr_a', 'O''Neil; --', 4, NULL);\n`,
  );
});
