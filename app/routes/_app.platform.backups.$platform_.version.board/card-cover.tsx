import type { VersionRef } from "#app/version/address.ts";
import { PartPicture } from "#app/version/part-picture.tsx";
import type { BoardCard } from "#connectors/contract/board-view.ts";

/** What is on top of a card: a colour, or a picture of the version. */
export function CardCover({ data, card: { cover } }: { data: VersionRef; card: Pick<BoardCard, "cover"> }) {
  if (cover === null) return null;
  if (cover.picture !== null) return <PartPicture className="card-cover" data={data} path={cover.picture} />;
  return cover.hue === null ? null : (
    <div className={`card-cover hue-${cover.hue} is-${cover.shade}`} aria-hidden />
  );
}
