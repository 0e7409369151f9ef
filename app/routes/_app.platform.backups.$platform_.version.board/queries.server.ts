import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readBoardShown } from "#app/version/address.ts";
import { readInside } from "#app/version/read-inside.server.ts";
import { shownText } from "#app/version/shown-texts.server.ts";
import { readBoardPage } from "#core/browsing/index.ts";

/** Reads the board of a version and renders its text as HTML. */
export function queryBoard(args: LoaderFunctionArgs) {
  return readInside(
    args,
    async (open, query) => {
      const { view, ...shown } = readBoardShown(query);
      const board = await readBoardPage(open, { viewId: view, ...shown });
      return { ...board, html: shownText(board.facts.text) };
    },
    ({ columns }) => columns.map(({ path }) => path),
  );
}
