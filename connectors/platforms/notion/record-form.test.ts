import { expect, test } from "vitest";
import { blockSchema, commentSchema, pageSchema } from "./payloads.ts";
import { blockForm, commentForm, pageForm, unsigned, withoutPaths } from "./record-form.ts";

const id = "393abc1e-edcd-80f3-813b-e205934558c6";
const signed = (name: string) => ({
  url: `https://files.example/a/${name}?X-Amz-Expires=3600&X-Amz-Signature=${Math.random()}`,
  expiry_time: new Date(Math.random() * 1e12).toISOString(),
});
const times = { created_time: "2026-07-04T08:48:00.000Z", last_edited_time: "2026-07-04T09:11:00.000Z" };

function page() {
  return pageSchema.parse({
    ...{ object: "page", id, ...times, parent: { type: "workspace", workspace: true }, in_trash: false },
    icon: { type: "file", file: signed("icon.png") },
    cover: { type: "external", external: { url: "https://other.example/cover.png?X=1" } },
    properties: {
      Name: { id: "title", type: "title", title: [] },
      Papers: {
        id: "%3AUPp",
        type: "files",
        files: [
          { name: "a.pdf", type: "file", file: signed("a.pdf") },
          { name: "b.pdf", type: "external", external: { url: "https://other.example/b.pdf" } },
          { name: "c.pdf", type: "file", file: signed("c.pdf") },
        ],
      },
      Theirs: {
        id: "roll",
        type: "rollup",
        rollup: {
          type: "array",
          array: [{ type: "files", files: [{ name: "x", type: "file", file: signed("x") }] }],
        },
      },
    },
    request_id: String(Math.random()),
  });
}

test("equal content gives an equal record, whatever the signatures are", () => {
  const [one, other] = [pageForm(page(), `pages/${id}/`), pageForm(page(), `pages/${id}/`)];
  expect(one.value).toEqual(other.value);
  expect(JSON.stringify(one.value)).not.toMatch(/X-Amz|expiry_time|request_id/);
});

test("the files of a page are named after what they are, and those behind a rollup belong to other rows", () => {
  const { value, files } = pageForm(page(), `pages/${id}/`);
  expect(files.map(({ path, address }) => [path, address])).toEqual([
    [`pages/${id}/files/icon`, "https://files.example/a/icon.png"],
    [`pages/${id}/files/property-_3AUPp-0`, "https://files.example/a/a.pdf"],
    [`pages/${id}/files/property-_3AUPp-1`, "https://files.example/a/c.pdf"],
  ]);
  expect(JSON.stringify(value.properties.Theirs)).toContain('"path":null');
  expect(files.every(({ url, expiresAt }) => url.includes("X-Amz") && expiresAt !== null)).toBe(true);
  const lost = withoutPaths(value, new Set([`pages/${id}/files/icon`]));
  expect(lost.icon).toEqual({
    type: "file",
    file: { address: "https://files.example/a/icon.png", path: null },
  });
});

test("a block's file has the block's id, and keeps caption and name", () => {
  const image = { type: "file", file: signed("yard map.png"), caption: [{ type: "text" }], name: "yard" };
  const parent = { type: "page_id", page_id: id };
  const block = blockSchema.parse({ object: "block", id, type: "image", parent, has_children: false, image });
  const { value, files } = blockForm(block, "pages/x/");
  expect(files).toMatchObject([{ path: `pages/x/files/${id}`, name: "yard" }]);
  expect(value.image).toEqual({
    ...{ type: "file", caption: [{ type: "text" }], name: "yard" },
    file: { address: "https://files.example/a/yard map.png", path: `pages/x/files/${id}` },
  });
});

test("attachments of a comment are files", () => {
  const comment = commentSchema.parse({
    ...{ object: "comment", id, parent: { type: "page_id", page_id: id }, discussion_id: id, ...times },
    rich_text: [],
    attachments: [{ category: "image", file: signed("a.png") }],
  });
  const { value, files } = commentForm(comment, "pages/x/");
  expect(files).toHaveLength(1);
  expect(value).toMatchObject({
    attachments: [{ category: "image", type: "file", file: { path: `pages/x/files/comment-${id}-0` } }],
  });
});

test("an address ends where its signature begins", () => {
  expect(unsigned("https://a.example/b?c=1#d")).toBe("https://a.example/b");
  expect(unsigned("https://a.example/b")).toBe("https://a.example/b");
});
