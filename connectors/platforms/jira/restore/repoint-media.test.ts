import { expect, test } from "vitest";
import { isAdf } from "../simulator/adf.ts";
import { type AdfNode, docOf, nodesOf, paragraph, textOf } from "./adf-nodes.ts";
import { hasMedia, repointMedia } from "./repoint-media.ts";

const media = (alt: string | null): AdfNode => ({
  type: "media",
  attrs: { type: "file", id: "8f3c", collection: "", width: 640, ...(alt !== null && { alt }) },
});
const single = (node: AdfNode): AdfNode => ({
  type: "mediaSingle",
  attrs: { layout: "center" },
  content: [node],
});
const FILES = [
  { filename: "route.png", url: "https://site/rest/api/3/attachment/content/1" },
  { filename: "depot.png", url: "https://site/rest/api/3/attachment/content/2" },
];
const urlsOf = (doc: ReturnType<typeof docOf>) =>
  [...nodesOf(doc)].flatMap(({ type, attrs }) => (type === "media" ? [attrs?.url] : []));

test("pictures show the restored files of the same name, in a document that Jira's schema takes", () => {
  const doc = docOf([paragraph("Look:"), single(media("depot.png")), single(media("route.png"))]);
  const { doc: after, lost } = repointMedia(doc, FILES);
  expect(urlsOf(after)).toEqual([FILES[1]?.url, FILES[0]?.url]);
  expect(lost).toEqual([]);
  expect(isAdf(after)).toBe(true);
  expect(hasMedia(after)).toBe(false);
});

test("a file that was not restored becomes its name beside the frame, and is told", () => {
  const inline: AdfNode = { type: "mediaInline", attrs: { id: "1", collection: "", alt: "plan.pdf" } };
  const doc = docOf([
    single(media("gone.png")),
    { type: "mediaGroup", content: [media("gone.zip"), media("route.png")] },
    { type: "paragraph", content: [inline] },
  ]);
  const { doc: after, lost } = repointMedia(doc, FILES);
  expect(lost).toEqual(["gone.png", "gone.zip", "plan.pdf"]);
  expect(textOf(after)).toContain("[gone.png]");
  expect(urlsOf(after)).toEqual([FILES[0]?.url]);
  expect(isAdf(after)).toBe(true);
});

test("a picture without a name is found only if the issue has one file", () => {
  const doc = docOf([single(media(null))]);
  expect(repointMedia(doc, FILES.slice(0, 1)).lost).toEqual([]);
  expect(repointMedia(doc, FILES).lost).toEqual(["a file"]);
});

test("a file between words becomes a link to the restored one", () => {
  const inline: AdfNode = { type: "mediaInline", attrs: { id: "1", collection: "", alt: "route.png" } };
  const doc = docOf([{ type: "paragraph", content: [{ type: "text", text: "See " }, inline] }]);
  expect(hasMedia(doc)).toBe(true);
  const { doc: after } = repointMedia(doc, FILES);
  expect(JSON.stringify(after)).toContain(`"href":"${FILES[0]?.url}"`);
  expect(isAdf(after)).toBe(true);
});
