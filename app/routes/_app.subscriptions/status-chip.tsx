import { CircleX, Clock, TriangleAlert } from "lucide-react";
import type { SubscriptionView } from "#app/money/billing-queries.ts";
import { statusChip } from "#app/money/status-words.ts";

const LOOKS = {
  ok: { className: "badge badge-ok", Icon: null },
  warn: { className: "badge badge-warn", Icon: TriangleAlert },
  bad: { className: "badge badge-bad", Icon: CircleX },
  quiet: { className: "badge", Icon: Clock },
  ended: { className: "badge badge-dash", Icon: null },
} as const;

/** A subscription's state: a word, and a mark when somebody must act (spec B-052 to B-056, B-165). */
export function StatusChip({ subscription }: { subscription: SubscriptionView }) {
  const { word, tone } = statusChip(subscription);
  const { className, Icon } = LOOKS[tone];
  return (
    <span className={className}>
      {Icon && <Icon aria-hidden />}
      <span className="chip-word">{word}</span>
    </span>
  );
}
