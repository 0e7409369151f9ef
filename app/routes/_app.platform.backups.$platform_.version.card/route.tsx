import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData, useNavigate, useParams, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Dialog } from "#app/components/dialog.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { boardCopy as copy } from "#app/copy/board.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import { boardIn, readVersionAddress } from "../_app.platform.backups.$platform_.version/address.ts";
import { CardBody } from "./card-body.tsx";
import { readCard } from "./queries.server.ts";

const LONGEST_KEY = 500;

/** One card of a version on top of its board: `?id&version&card[&comments&history]`, and the board's own parameters. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  const { searchParams } = new URL(request.url);
  const { itemId, snapshotId } = readVersionAddress(searchParams);
  if (!mayOpen(member, platform)) throw redirect("/");
  if (itemId === null || snapshotId === null) throw redirect(`/platform/dashboard/${platform}`);
  const text = (name: string) => searchParams.get(name)?.slice(0, LONGEST_KEY) || null;
  return orFailure(context, () =>
    readCard(context.services, member, platform, {
      itemId,
      snapshotId,
      cardId: text("card") ?? "",
      commentsBefore: text("comments"),
      historyBefore: text("history"),
    }),
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${visibleName(data?.page?.card.title ?? copy.card.crumb)} · Holdfast` },
];

export default function CardRoute() {
  const data = useLoaderData<typeof loader>();
  const { platform = "" } = useParams();
  const address = readVersionAddress(useSearchParams()[0]);
  const navigate = useNavigate();
  // The dialog renders only in the browser. The server renders the board behind it.
  const [isHere, setIsHere] = useState(false);
  useEffect(() => setIsHere(true), []);
  if (data === null) return null;
  const card = data.page?.card;
  return (
    <Dialog
      isOpen={isHere}
      onClose={() => navigate(boardIn(platform, data, address), { preventScrollReset: true })}
      title={
        <span className="title-name" dir="auto">
          {visibleName(card?.title.trim() ?? "") || copy.nameless}
        </span>
      }
      description={data.page?.column ? copy.card.in(visibleName(data.page.column)) : undefined}
      size="l"
      isFlush
    >
      <CardBody data={data} platform={platform} shown={address} />
    </Dialog>
  );
}

export const ErrorBoundary = PageFailure;
