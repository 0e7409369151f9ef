import { expect, test } from "vitest";
import { visibleName, visibleText } from "./visible-text.ts";

test.each([
  ["plain name.txt", "plain name.txt"],
  ["invoice\u202Efdp.exe", "invoice⟨202E⟩fdp.exe"],
  ["a\u0000b", "a⟨0000⟩b"],
  ["zero\u200Bwidth", "zero⟨200B⟩width"],
  ["two\nlines\tand a tab", "two⟨000A⟩lines⟨0009⟩and a tab"],
  ["lone \ud800 half", "lone ⟨D800⟩ half"],
  ["日本語 ünïcödé 👍", "日本語 ünïcödé 👍"],
])("the name %j is shown as %j", (name, shown) => {
  expect(visibleName(name)).toBe(shown);
});

test("text keeps lines and tabs and loses bidirectional control characters", () => {
  expect(visibleText("if (a) {\r\n\treturn;\u2066 }\n")).toBe("if (a) {\n\treturn;⟨2066⟩ }\n");
});
