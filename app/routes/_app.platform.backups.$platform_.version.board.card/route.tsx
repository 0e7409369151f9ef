import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Dialog } from "#app/components/dialog.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { boardCopy as copy } from "#app/copy/board.ts";
import { browseCopy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { boardQuery, placeIn, readBoardShown, readerOf } from "#app/version/address.ts";
import { readInside } from "#app/version/read-inside.server.ts";
import type { BoardCard } from "#connectors/contract/board-view.ts";
import { CardBody } from "./card-body.tsx";
import { readCard } from "./queries.server.ts";

const LONGEST_KEY = 500;

/** One card on top of its board: `?card[&comments&history]` and the board's parameters. */
export function loader(args: LoaderFunctionArgs) {
  return readInside(
    args,
    (open, query) => {
      const text = readerOf(query);
      return readCard(open, {
        viewId: text("in"),
        cardId: text("card", LONGEST_KEY) ?? "",
        commentsAfter: text("comments", LONGEST_KEY),
        historyAfter: text("history", LONGEST_KEY),
      });
    },
    ({ card }) => [card.path],
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${visibleName(data?.page ? nameOf(data.page.card) : browseCopy.crumb)} · Holdfast` },
];

/** Its key and its title, as a tab shows them. */
const nameOf = ({ key, title }: BoardCard) => (key === null ? title : `${key} ${title}`);

export default function CardRoute() {
  const data = useLoaderData<typeof loader>();
  const shown = readBoardShown(useSearchParams()[0]);
  const navigate = useNavigate();
  // The server renders only the board; the browser adds the dialog.
  const [isHere, setIsHere] = useState(false);
  useEffect(() => setIsHere(true), []);
  if (data === null) return null;
  const card = data.page?.card;
  return (
    <Dialog
      isOpen={isHere}
      onClose={() => navigate(placeIn(data, "board", boardQuery(shown)), { preventScrollReset: true })}
      title={
        <>
          <span className="title-name" dir="auto">
            {visibleName(card?.title.trim() ?? "") || copy.nameless}
          </span>
          {card?.key && (
            <>
              {" "}
              <span className="title-key mono">{visibleName(card.key)}</span>
            </>
          )}
        </>
      }
      description={data.page?.column ? copy.card.in(visibleName(data.page.column)) : undefined}
      size="l"
      isFlush
    >
      <CardBody data={data} shown={shown} />
    </Dialog>
  );
}

export const ErrorBoundary = PageFailure;
