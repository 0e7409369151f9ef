import { useState } from "react";
import type { BoardCard } from "#connectors/contract/board-view.ts";
import { partPath } from "./address.ts";
import type { VersionPageData } from "./queries.server.ts";

/** The cover of a card: a colour, or an image of the version. Other files are not shown. */
export function CardCover({
  data,
  card: { cover },
}: {
  data: Pick<VersionPageData, "itemId" | "snapshotId">;
  card: Pick<BoardCard, "cover">;
}) {
  const [isBroken, setIsBroken] = useState(false);
  if (cover === null) return null;
  if (cover.picture === null)
    return cover.hue === null ? null : (
      <div className={`card-cover hue-${cover.hue} is-${cover.shade}`} aria-hidden />
    );
  if (isBroken) return null;
  return (
    <img
      className="card-cover"
      src={partPath(data, { path: cover.picture, shown: "1" })}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setIsBroken(true)}
    />
  );
}
