import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { linkedId, pageUrl } from "./page-links.ts";
import {
  chunks,
  plainText,
  referredIds,
  TEXT_LIMITS,
  type TextReferences,
  writtenText,
} from "./rich-text.ts";

const OLD = "393abc1e-edcd-8124-b37c-f7cb2f21e2d3";
const NEW = "171e17b6-d57a-4ff7-bfaf-12a0e8fe7a0c";

/** References of which one page was restored. */
function references(): TextReferences & { losses: string[] } {
  const losses: string[] = [];
  return {
    losses,
    newId: (id) => (id === OLD ? NEW : null),
    hasEmoji: () => false,
    told: (loss) => void losses.push(loss),
  };
}

const textItem = (content: string, url: string | null = null) => ({
  type: "text",
  text: { content, link: url === null ? null : { url } },
  ...{ annotations: { bold: true, color: "red" }, plain_text: content, href: url },
});

test("any text is split into pieces that requests take, and reads the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 5_000 }), { maxLength: 5 }), (texts) => {
      const written = writtenText(
        texts.map((text) => textItem(text)),
        references(),
      );
      expect(plainText(written)).toBe(texts.join(""));
      for (const { text } of written) {
        const { content } = text as { content: string };
        expect(content.length).toBeLessThanOrEqual(TEXT_LIMITS.content);
        expect(content.isWellFormed()).toBe(true);
      }
      for (const list of chunks(written)) expect(list.length).toBeLessThanOrEqual(TEXT_LIMITS.items);
    }),
    { numRuns: 50 },
  );
});

test("mentions lead to the restored page, and those of other pages to the original", () => {
  const mention = (id: string) => ({
    type: "mention",
    mention: { type: "page", page: { id } },
    plain_text: "Rules",
  });
  const told = references();
  expect(writtenText([mention(OLD)], told)).toEqual([
    { type: "mention", mention: { type: "page", page: { id: NEW } } },
  ]);
  expect(told.losses).toEqual([]);
  const other = "13c28ba9-d103-438a-b309-bf9309bb52e7";
  expect(writtenText([mention(other)], told)).toEqual([
    { type: "text", text: { content: "Rules", link: { url: pageUrl(other) } } },
  ]);
  expect(told.losses).toEqual(["outside"]);
});

test("a mention of a person becomes the name, so that nobody is notified", () => {
  const told = references();
  const item = { type: "mention", mention: { type: "user", user: { id: OLD } }, plain_text: "@Nora" };
  expect(writtenText([item], told)).toEqual([{ type: "text", text: { content: "@Nora" } }]);
  expect(told.losses).toEqual(["people"]);
});

test("links to restored pages lead to the new ones, in every form of a link", () => {
  const bare = OLD.replaceAll("-", "");
  const forms = [
    `/${bare}`,
    `https://www.notion.so/${bare}`,
    `https://www.notion.so/meridian/Winter-rules-${bare}?pvs=4`,
    `https://app.notion.com/p/${bare}#13c28ba9d103438ab309bf9309bb52e7`,
  ];
  for (const url of forms) {
    expect(linkedId(url), url).toBe(OLD);
    const [written] = writtenText([textItem("rules", url)], references());
    expect(written?.text).toEqual({ content: "rules", link: { url: pageUrl(NEW) } });
  }
});

test("links elsewhere are kept, and what is no address loses only its link", () => {
  const told = references();
  for (const url of ["https://meridian.example/a", "mailto:nora@meridian.example"]) {
    expect(linkedId(url)).toBe(null);
    expect(writtenText([textItem("x", url)], told)[0]?.text).toEqual({ content: "x", link: { url } });
  }
  expect(writtenText([textItem("x", `https://a.example/${"y".repeat(2_000)}`)], told)[0]?.text).toEqual({
    content: "x",
  });
  expect(told.losses).toEqual(["link"]);
});

test("the ids that a stored value refers to are found at any depth", () => {
  const value = {
    rich_text: [{ mention: { type: "page", page: { id: OLD } } }, { href: `/${NEW.replaceAll("-", "")}` }],
    inner: [{ link_to_page: { type: "database_id", database_id: "d" } }],
  } as Json;
  expect([...referredIds(value)].sort()).toEqual([NEW, OLD, "d"].sort());
});
