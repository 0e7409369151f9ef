import { useState } from "react";
import { partPath, type VersionRef } from "#app/version/address.ts";
import type { BoardCard } from "#connectors/contract/board-view.ts";

/** A card's cover: a colour, or a picture from the version. Files that are not images are not shown. */
export function CardCover({ data, card: { cover } }: { data: VersionRef; card: Pick<BoardCard, "cover"> }) {
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
