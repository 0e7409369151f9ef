import { Check, CirclePause, CircleX, Clock, LoaderCircle, RotateCcw, Unplug } from "lucide-react";
import { statusCopy } from "#app/copy/shared.ts";
import { ageText } from "#app/format/duration.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { itemState } from "./item-state.ts";

/** State of an item: icon and word; only exceptions get a tint. */
export function StatusBadge({ item, now }: { item: ItemView; now: number }) {
  switch (itemState(item, now)) {
    case "protected":
      return (
        <span className="status-badge">
          <Check className="ok-t" aria-hidden />
          {statusCopy.protected}
        </span>
      );
    case "backing-up":
      return (
        <span className="badge badge-run">
          <LoaderCircle className="spin" aria-hidden />
          {statusCopy.backingUp}
        </span>
      );
    case "restoring":
      return (
        <span className="badge badge-run">
          <RotateCcw aria-hidden />
          {statusCopy.restoring}
        </span>
      );
    case "waiting":
      return (
        <span className="status-badge soft">
          <Clock aria-hidden />
          {statusCopy.waiting}
        </span>
      );
    case "first-backup":
      return (
        <span className="status-badge soft">
          <Clock aria-hidden />
          {statusCopy.firstBackup}
        </span>
      );
    case "failed":
      return (
        <span className="badge badge-bad">
          <CircleX aria-hidden />
          {statusCopy.failed}
        </span>
      );
    case "stale":
      return (
        <span className="badge badge-warn">
          <Clock aria-hidden />
          {statusCopy.stale(ageText(now - (item.lastBackupAt ?? now)))}
        </span>
      );
    case "paused":
      return (
        <span className="status-badge soft">
          <CirclePause aria-hidden />
          {statusCopy.paused}
        </span>
      );
    case "deleted":
      return (
        <span className="badge badge-dash">
          <Unplug aria-hidden />
          {statusCopy.deleted}
        </span>
      );
  }
}
