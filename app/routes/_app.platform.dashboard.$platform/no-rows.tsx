import { Button } from "#app/components/button.tsx";
import { emptyCopy as copy } from "#app/copy/items.ts";
import type { ListFrame } from "./list-frame.ts";

/** Shown without rows: what was searched for, and one action. */
export function NoRows({ page, query, words, go }: Pick<ListFrame, "page" | "query" | "words" | "go">) {
  const place = page.places.find(({ id }) => id === query.placeId)?.name ?? page.connection.name;
  if (query.name !== "") {
    return (
      <Frame text={copy.noneMatching(words.many, place, query.name)}>
        <Button
          onClick={() => {
            focusOn(".toolbar input");
            go({ name: "" });
          }}
        >
          {copy.clearSearch}
        </Button>
      </Frame>
    );
  }
  if (query.filter !== "all") {
    return (
      <Frame text={copy.noneFiltered[query.filter](words.many)}>
        <Button
          onClick={() => {
            focusOn(".filter-chips button");
            go({ filter: "all" });
          }}
        >
          {copy.showAll}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame text={copy.nothing(words.many)}>
      {page.canManage && <p className="soft">{copy.nothingNext(words.many)}</p>}
    </Frame>
  );
}

/** The button disappears with its frame, so focus the control it reset. */
function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function Frame({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div className="table-frame">
      <p
        className="medium"
        role="status"
        style={{ overflowWrap: "anywhere", marginBottom: children ? 12 : 0 }}
      >
        {text}
      </p>
      {children}
    </div>
  );
}
