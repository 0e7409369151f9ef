import { type Dialect, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { paths } from "../client.ts";
import { commentSchema, madeManySchema } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/** The most that Almanac takes at once. */
const COMMENTS_PER_CALL = 50;
/** Almanac's limit is 10,000; the plan of a restore counts on the same. */
const DIALECT: Dialect = {
  maxLength: 10_000,
  quietUrl: (url) => url,
  quietPatterns: [{ pattern: /@(?=[\p{L}\d])/gu, replacement: `@${ZERO_WIDTH}` }],
};

/** Writes the comments below a folder again, in their order. Asking twice makes them once. @returns their number */
export async function restoreComments(
  io: RestoreIo,
  folder: string,
  on: { pageId: string } | { rowId: string; registerId: string },
): Promise<number> {
  if (!io.answers.comments) return 0;
  let count = 0;
  let batch: { text: string }[] = [];
  const authors = new Map<string, string | null>();
  const send = async () => {
    if (batch.length === 0) return;
    const requestId = `${io.mark}:comments:${folder}:${count}`;
    const path = paths.below(io.siteId, io.bookId, "comments");
    const body = { requestId, on: { pageId: null, rowId: null, registerId: null, ...on }, comments: batch };
    const call = { method: "POST", path, body, about: "the restored comments", isRepeatable: true } as const;
    await io.client.request(call, madeManySchema);
    count += batch.length;
    batch = [];
  };
  for await (const { path } of io.snapshot.list(`${folder}comments/`)) {
    const comment = commentSchema.parse(await io.snapshot.readRecord(path));
    const { author, at, text, answers } = comment;
    authors.set(comment.id, author);
    const asked = answers === null ? undefined : authors.get(answers);
    const facts = asked ? [`In answer to ${asked}.`] : [];
    batch.push({ text: quoteOriginal({ author, at, url: null, facts }, text, DIALECT).text });
    if (batch.length === COMMENTS_PER_CALL) await send();
  }
  await send();
  return count;
}
