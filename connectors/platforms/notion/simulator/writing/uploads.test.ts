import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];
const file = (size: number, filename = "plan.pdf") => ({
  filename,
  data: new Blob([new Uint8Array(size).fill(7)], { type: "application/pdf" }),
});

async function uploadsForTest() {
  const world = await notionForTest();
  const { id } = await world.control("pages", { title: "Page" });
  const notion = world.sdk();
  const refusal = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "taken",
      (error: Error) => error.message,
    );
  return { ...world, id, notion, refusal };
}

test("a file is uploaded whole, attached in every place, and its bytes are read back", async () => {
  const { control, id, json, notion } = await uploadsForTest();
  const made: Json = await notion.fileUploads.create({ filename: "plan.pdf" });
  expect(made).toMatchObject({ status: "pending", content_type: "application/pdf", content_length: null });
  expect(made.upload_url).toContain(`/v1/file_uploads/${made.id}/send`);
  const sent: Json = await notion.fileUploads.send({ file_upload_id: made.id, file: file(1_000) });
  expect(sent).toMatchObject({ status: "uploaded", content_length: 1_000 });
  expect(sent.upload_url).toBeUndefined();
  const upload = { file_upload: { id: made.id } };
  const { results }: Json = await notion.blocks.children.append({
    block_id: id,
    children: [
      { pdf: upload },
      { file: { ...upload, caption: text("Plan") } },
      { callout: { rich_text: [], icon: upload } },
    ],
  });
  const page: Json = await notion.pages.update({ page_id: id, cover: upload, icon: upload });
  const comment: Json = await notion.comments.create({
    ...{ parent: { page_id: id }, rich_text: text("See"), attachments: [{ file_upload_id: made.id }] },
  });
  const database: Json = await notion.databases.create({
    parent: { type: "page_id", page_id: id },
    initial_data_source: { properties: { Name: { title: {} }, Papers: { files: {} } } },
  });
  const row: Json = await notion.pages.create({
    parent: { data_source_id: database.data_sources[0].id },
    properties: { Papers: { files: [{ name: "Plan", ...upload }] } },
  });
  const kept = row.properties.Papers.files[0];
  const addresses = [
    ...[results[0].pdf.file.url, results[1].file.file.url, results[2].callout.icon.file.url],
    ...[page.cover.file.url, page.icon.file.url, comment.attachments[0].file.url, kept.file.url],
  ];
  for (const address of addresses)
    expect((await (await fetch(address)).arrayBuffer()).byteLength).toBe(1_000);
  expect([results[1].file.name, comment.attachments[0].category]).toEqual(["plan.pdf", "pdf"]);
  const again: Json = await notion.pages.update({
    page_id: row.id,
    properties: { Papers: { files: [{ ...kept, name: "Kept" }] } },
  });
  expect(again.properties.Papers.files).toMatchObject([{ name: "Kept", type: "file" }]);
  await control("clock", { advanceMs: 7_200_000 });
  expect((await json(`/file_uploads/${made.id}`)).status).toBe("uploaded");
});

test("a large file is sent in parts of the allowed sizes, then completed", async () => {
  const { control, id, notion, refusal, world } = await uploadsForTest();
  await control("settings", { partBytes: 2_000, smallestPartBytes: 500 });
  const made: Json = await notion.fileUploads.create({
    mode: "multi_part",
    filename: "plan.pdf",
    number_of_parts: 2,
  });
  expect(made).toMatchObject({ number_of_parts: { total: 2, sent: 0 } });
  const part = (number: number, size: number) =>
    notion.fileUploads.send({ file_upload_id: made.id, file: file(size), part_number: String(number) });
  expect(await refusal(part(1, 499))).toContain("at least");
  expect(await refusal(part(1, 2_001))).toContain("larger");
  expect(await refusal(part(3, 600))).toContain("from 1 to 2");
  const complete = () => notion.fileUploads.complete({ file_upload_id: made.id });
  await part(2, 1);
  expect(await refusal(complete())).toContain("1 of 2");
  await part(1, 600);
  expect(await complete()).toMatchObject({ status: "uploaded", content_length: 601 });
  expect(await refusal(part(1, 600))).toContain("uploaded");
  await notion.blocks.children.append({
    block_id: id,
    children: [{ file: { file_upload: { id: made.id } } }],
  });
  expect(Object.values(world.state.files).at(-1)?.sizeBytes).toBe(601);
});

test("a file is imported from an address, or the import fails and says so", async () => {
  const { notion, url, refusal, id } = await uploadsForTest();
  const create = (external_url: string): Promise<Json> =>
    notion.fileUploads.create({ mode: "external_url", filename: "nora.svg", external_url });
  const outcome = async ({ id: upload }: Json): Promise<Json> => {
    for (;;) {
      const now: Json = await notion.fileUploads.retrieve({ file_upload_id: upload });
      if (now.status !== "pending") return now;
    }
  };
  const made = await create(`${url}/avatars/nora`);
  expect(made.status).toBe("pending");
  expect(await outcome(made)).toMatchObject({ status: "uploaded", file_import_result: { type: "success" } });
  const failed = await outcome(await create(`${url}/nowhere/at-all`));
  expect(failed).toMatchObject({ status: "failed", file_import_result: { type: "error" } });
  const attach = notion.blocks.children.append({
    block_id: id,
    children: [{ image: { file_upload: { id: failed.id } } }],
  });
  expect(await refusal(attach)).toContain("failed");
  expect(await refusal(create("http://example.com/a.png"))).toContain("https");
});

test("an upload that is not attached in time expires; one without bytes cannot be attached", async () => {
  const { control, id, json, notion, refusal } = await uploadsForTest();
  const made: Json = await notion.fileUploads.create({ filename: "plan.pdf" });
  const attach = () => notion.pages.update({ page_id: id, cover: { file_upload: { id: made.id } } });
  expect(await refusal(attach())).toContain("pending");
  await notion.fileUploads.send({ file_upload_id: made.id, file: file(10) });
  await control("clock", { advanceMs: 3_600_001 });
  expect(await json(`/file_uploads/${made.id}`)).toMatchObject({ status: "expired", expiry_time: null });
  expect(await refusal(attach())).toContain("expired");
  expect((await json("/file_uploads?status=expired")).results).toHaveLength(1);
});

test("a file is no larger than the plan allows, nor of another type than was told", async () => {
  const { control, notion, refusal, world } = await uploadsForTest();
  await control("settings", { freeFileBytes: 1_000 });
  const made = async (content_type?: string): Promise<string> =>
    (await notion.fileUploads.create({ filename: "plan.pdf", ...(content_type ? { content_type } : {}) })).id;
  const send = async (upload: string, size: number) =>
    refusal(notion.fileUploads.send({ file_upload_id: upload, file: file(size) }));
  expect(await send(await made("image/png"), 10)).toContain("image/png");
  expect(await send(await made(), 1_001)).toBe("taken");
  for (const workspace of world.state.workspaces) workspace.plan = "free";
  expect(await send(await made(), 1_001)).toContain("larger than 1000 bytes");
  expect(await send(await made(), 1_000)).toBe("taken");
});
