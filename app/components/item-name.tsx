import type { ReactNode } from "react";
import { tagCopy, tagTitles } from "#app/copy/shared.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** The name with its visibility tag, and the description below (spec P-058). */
export function ItemName({
  name,
  visibility,
  description,
}: {
  name: ReactNode;
  visibility: ItemView["visibility"];
  description?: string | null;
}) {
  return (
    <div className="item-name">
      <span className="item-name__top">
        <span className="clip">{name}</span>
        <VisibilityTag visibility={visibility} />
      </span>
      {description && (
        <span className="item-name__desc clip" title={description}>
          {description}
        </span>
      )}
    </div>
  );
}

/** PVT, PBC or INT. */
export function VisibilityTag({ visibility }: { visibility: ItemView["visibility"] }) {
  return (
    <abbr className="tag" title={tagTitles[visibility]} style={{ textDecoration: "none" }}>
      {tagCopy[visibility]}
    </abbr>
  );
}
