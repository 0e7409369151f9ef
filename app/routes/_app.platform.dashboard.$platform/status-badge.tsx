import {
  Check,
  CirclePause,
  CircleX,
  Clock,
  LoaderCircle,
  RotateCcw,
  Trash2,
  TriangleAlert,
  Unplug,
} from "lucide-react";
import { statusCopy } from "#app/copy/shared.ts";
import { ageText } from "#app/format/duration.ts";
import { itemState } from "#app/items/item-state.ts";
import type { ItemView } from "#core/inventory/views.ts";

const SOFT = "status-badge soft";
const LOOKS = {
  protected: [Check, "status-badge"],
  disconnected: [Unplug, "badge badge-bad"],
  backingUp: [LoaderCircle, "badge badge-run"],
  restoring: [RotateCcw, "badge badge-run"],
  waiting: [Clock, SOFT],
  firstBackup: [Clock, SOFT],
  failed: [CircleX, "badge badge-bad"],
  alarm: [TriangleAlert, "badge badge-warn"],
  stale: [Clock, "badge badge-warn"],
  paused: [CirclePause, SOFT],
  deleted: [Trash2, "badge badge-dash"],
} as const;

/** An item's state as icon and word. Only exceptions are tinted. */
export function StatusBadge({
  item,
  isTokenValid,
  now,
}: {
  item: ItemView;
  isTokenValid: boolean;
  now: number;
}) {
  const state = itemState(item, now, isTokenValid);
  const [Icon, look] = LOOKS[state];
  return (
    <span className={look}>
      <Icon className={ICON_LOOKS[state]} aria-hidden />
      {state === "stale" ? statusCopy.stale(ageText(now - (item.lastBackupAt ?? now))) : statusCopy[state]}
    </span>
  );
}

const ICON_LOOKS: { [state: string]: string } = { protected: "ok-t", backingUp: "spin" };
