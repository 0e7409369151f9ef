import type { PageDetail } from "#connectors/contract/pages-view.ts";
import { commentsOf } from "./comments.ts";
import type { Home } from "./homes.ts";
import { type Places, pageMarkdown } from "./page-markdown.ts";
import type { ReadIo } from "./read-io.ts";

/** Comments of a page that its file shows. */
const MOST_COMMENTS = 1_000;

/** A page as one Markdown file, with its comments and the files of both. */
export async function wholeMarkdown(
  io: ReadIo,
  { home, page }: { home: Home; page: PageDetail },
  places: Places,
): Promise<string> {
  const { notes } = await commentsOf(io, home, { after: null, most: MOST_COMMENTS });
  const files = [...page.files, ...notes.flatMap((note) => note.files)];
  return await pageMarkdown({ ...page, files }, notes, places);
}
