import { expect, test } from "vitest";
import type { Adf } from "../record-types.ts";
import { docOf, paragraph, textOf } from "./adf-nodes.ts";
import { keysIn, rewriteKeys } from "./rewrite-keys.ts";

const SOURCE = { projectKey: "OPS", siteUrl: "https://meridian.atlassian.net" };
const NEW = new Map([
  ["OPS-12", "NEW-3"],
  ["OPS-1", "NEW-1"],
]);
const rewritten = (text: string) => textOf(rewriteKeys(docOf([paragraph(text)]), SOURCE, NEW));

test.each([
  ["See OPS-12, then OPS-1.", "See NEW-3, then NEW-1."],
  ["(OPS-12)/OPS-12", "(NEW-3)/OPS-12"],
  ["OPS-123 and OPS-120 are others", "OPS-123 and OPS-120 are others"],
  ["XOPS-12, ops-12, OPS-12x and OPS-12-fix", "XOPS-12, ops-12, OPS-12x and OPS-12-fix"],
  ["OPS-99 was not restored", "OPS-99 was not restored"],
  ["https://github.com/acme/OPS-12", "https://github.com/acme/OPS-12"],
  [
    "https://meridian.atlassian.net/browse/OPS-12?focus=1",
    "https://meridian.atlassian.net/browse/NEW-3?focus=1",
  ],
  ["https://other.atlassian.net/browse/OPS-12", "https://other.atlassian.net/browse/OPS-12"],
  [
    "https://meridian.atlassian.net/jira/software/projects/OPS/boards/1?selectedIssue=OPS-12",
    "https://meridian.atlassian.net/jira/software/projects/OPS/boards/1?selectedIssue=NEW-3",
  ],
])("old keys become new ones in words and addresses of the site: %s", (before, after) => {
  expect(rewritten(before)).toBe(after);
});

test("links and smart cards get new keys, code keeps the old ones", () => {
  const href = "https://meridian.atlassian.net/browse/OPS-12";
  const doc = docOf([
    {
      type: "paragraph",
      content: [
        { type: "text", text: "OPS-12", marks: [{ type: "link", attrs: { href } }] },
        { type: "text", text: "OPS-12", marks: [{ type: "code" }] },
        { type: "inlineCard", attrs: { url: href } },
      ],
    },
    { type: "codeBlock", content: [{ type: "text", text: "git checkout OPS-12" }] },
  ]);
  const after = "https://meridian.atlassian.net/browse/NEW-3";
  expect(rewriteKeys(doc, SOURCE, NEW)).toEqual(
    docOf([
      {
        type: "paragraph",
        content: [
          { type: "text", text: "NEW-3", marks: [{ type: "link", attrs: { href: after } }] },
          { type: "text", text: "OPS-12", marks: [{ type: "code" }] },
          { type: "inlineCard", attrs: { url: after } },
        ],
      },
      { type: "codeBlock", content: [{ type: "text", text: "git checkout OPS-12" }] },
    ]),
  );
});

test("the mentioned keys are found without those in code, and a document without keys stays the same object", () => {
  const doc = docOf([paragraph("OPS-12 and OPS-77")]);
  expect([...keysIn(doc, SOURCE)]).toEqual(["OPS-12", "OPS-77"]);
  expect(keysIn(null, SOURCE).size).toBe(0);
  expect(rewriteKeys(doc, SOURCE, new Map())).toBe(doc);
});

test("a key with a hyphenated or dotted neighbour is not cut out of a longer name", () => {
  const code: Adf = docOf([paragraph("release-OPS-12 v1.OPS-12 a=OPS-12")]);
  expect(keysIn(code, SOURCE).size).toBe(0);
});
