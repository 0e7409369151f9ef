import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];

test("comments stand on pages and blocks, and reply in a discussion, under the name that is told", async () => {
  const { control, json, sdk } = await notionForTest();
  const { id } = await control("pages", { title: "Page", text: "Text" });
  const notion = sdk();
  const block = (await json(`/blocks/${id}/children`)).results[0];
  const named = { type: "custom" as const, custom: { name: "Åsa Nyström" } };
  const first: Json = await notion.comments.create({
    parent: { page_id: id },
    rich_text: text("One"),
    display_name: named,
  });
  expect(first.display_name).toEqual({ type: "custom", resolved_name: "Åsa Nyström" });
  const reply: Json = await notion.comments.create({
    discussion_id: first.discussion_id,
    rich_text: text("Two"),
  });
  expect(reply).toMatchObject({ discussion_id: first.discussion_id, parent: { page_id: id } });
  const onBlock: Json = await notion.comments.create({
    parent: { block_id: block.id },
    markdown: "**Three**",
  });
  expect(onBlock.rich_text[0].annotations.bold).toBe(true);
  const texts = async (on: string) =>
    (await json(`/comments?block_id=${on}`)).results.map((each: Json) => each.rich_text[0].plain_text);
  expect([await texts(id), await texts(block.id)]).toEqual([["One", "Two"], ["Three"]]);
  await notion.comments.update({ comment_id: reply.id, rich_text: text("Changed") });
  await notion.comments.delete({ comment_id: first.id });
  expect(await texts(id)).toEqual(["Changed"]);
});

test("comments of others, empty ones, and those of what is not there are refused", async () => {
  const { control, refusalOf } = await notionForTest();
  const { id } = await control("pages", { title: "Page" });
  const other = await control("comments", { onId: id, text: "Said by a person" });
  const post = (body: Json) => refusalOf("/comments", { method: "POST", body: JSON.stringify(body) });
  expect((await refusalOf(`/comments/${other.id}`, { method: "DELETE" }))[1]).toBe("restricted_resource");
  expect((await post({ parent: { page_id: id }, rich_text: [] }))[1]).toBe("validation_error");
  expect((await post({ parent: { block_id: id }, rich_text: text("x") }))[1]).toBe("object_not_found");
  expect((await post({ discussion_id: id, rich_text: text("x") }))[1]).toBe("object_not_found");
  expect((await post({ rich_text: text("x") }))[1]).toBe("validation_error");
  const attachments = Array.from({ length: 4 }, () => ({ file_upload_id: id }));
  expect((await post({ parent: { page_id: id }, rich_text: text("x"), attachments }))[2]).toContain("≤ `3`");
});
