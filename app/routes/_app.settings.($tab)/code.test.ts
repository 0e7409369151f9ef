import { expect, test } from "vitest";
import { isCode } from "./code.ts";

test("[A-336] a code has 6 or 7 digits", () => {
  expect(["12345", "123456", "1234567", "12345678", "12345a", "１２３４５６", ""].filter(isCode)).toEqual([
    "123456",
    "1234567",
  ]);
});
