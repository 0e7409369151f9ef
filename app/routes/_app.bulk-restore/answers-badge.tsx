import { Check, Minus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { progressOf } from "#app/bulk/bulk-answers.ts";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";

/** How many of an item's decisions are open. */
export function AnswersBadge({
  open,
  all,
  isMatching,
  isImpossible = false,
}: ReturnType<typeof progressOf> & { isImpossible?: boolean }) {
  const [icon, text]: [ReactNode, string] = isImpossible
    ? [<Minus key="no" className="icon-s" aria-hidden />, copy.impossible]
    : open > 0
      ? [
          <TriangleAlert key="open" className="icon-s" aria-hidden />,
          isMatching ? copy.openOf(open, all) : copy.open(open),
        ]
      : [
          <Check key="done" className="icon-s ok-t" aria-hidden />,
          isMatching ? copy.matched(all, all) : copy.chosen,
        ];
  return (
    <span className={open > 0 ? "status-badge warn-t" : "status-badge"}>
      {icon}
      {text}
    </span>
  );
}
