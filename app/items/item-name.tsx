import type { ReactNode } from "react";
import type { ItemTag } from "#connectors/contract/item-marks.ts";

/** The name with its tags, e.g. private or public, and the description below (spec P-058). */
export function ItemName({
  name,
  tags,
  description,
}: {
  name: ReactNode;
  tags: readonly ItemTag[];
  description?: string | null;
}) {
  return (
    <div className="item-name">
      <span className="item-name__top">
        <span className="clip">{name}</span>
        <ItemTags tags={tags} />
      </span>
      {description && (
        <span className="item-name__desc clip" title={description}>
          {description}
        </span>
      )}
    </div>
  );
}

/** The tags of an item, e.g. PVT. The title explains each. */
export function ItemTags({ tags }: { tags: readonly ItemTag[] }) {
  return tags.map(({ label, meaning }) => (
    <abbr key={label} className="tag" title={meaning} style={{ textDecoration: "none" }}>
      {label}
    </abbr>
  ));
}
