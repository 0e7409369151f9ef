import { boardCopy as copy } from "#app/copy/board.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { Tag } from "#connectors/contract/field.ts";

/** Labels: a square of their colour and their word. One without a name is called by its colour. */
export function TagList({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="card-tags">
      {tags.map(({ name, hue, shade }, at) => {
        const colour = hue === null ? copy.noHue : copy.hues[hue];
        const words = name.trim() === "" ? colour : visibleName(name);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: -- labels may be equal
            key={at}
            className={`card-tag hue-${hue ?? "none"} is-${shade}`}
            title={copy.label(`${words} (${colour})`)}
          >
            <span className="clip" dir="auto">
              {words}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
