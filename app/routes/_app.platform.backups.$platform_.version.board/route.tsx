import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { isSameBoard, readBoardShown } from "#app/version/address.ts";
import { FrameNote } from "#app/version/frame-note.tsx";
import "#app/version/parts.css";
import { BoardFrame } from "./board-frame.tsx";
import "./board.css";
import { queryBoard } from "./queries.server.ts";

/** A board: `?in[&q&archived]`. */
export function loader(args: LoaderFunctionArgs) {
  return queryBoard(args);
}

/** Opening a card does not reload the board behind it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const isElsewhere = currentUrl.href !== nextUrl.href;
  return isElsewhere && !formMethod && isSameBoard(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
};

export default function BoardRoute() {
  const data = useLoaderData<typeof loader>();
  const shown = readBoardShown(useSearchParams()[0]);
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  return <BoardFrame data={data} board={data.page} shown={shown} />;
}

export const ErrorBoundary = PageFailure;
