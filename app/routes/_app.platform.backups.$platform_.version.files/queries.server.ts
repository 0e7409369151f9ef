import { shownText } from "#app/version/shown-texts.server.ts";
import { type OpenVersion, readTreePage } from "#core/browsing/index.ts";
import type { FilesPage } from "./files-frame.tsx";

const MARKDOWN = /\.(md|markdown|mdown|mkd)$/i;

/** Reads a folder or a file and renders Markdown as HTML. @throws AppError `err.not.found` */
export async function readFiles(
  open: OpenVersion,
  { isSource, ...address }: { viewId: string | null; ref: string | null; path: string; isSource: boolean },
): Promise<FilesPage> {
  const page = await readTreePage(open, address);
  const { at } = page;
  const isPage = at?.type === "file" && at.body.type === "text" && !at.body.isCut && MARKDOWN.test(at.name);
  const text = isPage && at.body.type === "text" && !isSource ? at.body.text : "";
  return { ...page, html: shownText(text), isSource };
}
