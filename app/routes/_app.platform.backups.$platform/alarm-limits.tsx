import { useState } from "react";
import { lazyDialog } from "#app/components/dialog.tsx";
import { alarmCopy } from "#app/copy/alarms.ts";
import type { AlarmLimits } from "#core/alarms/views.ts";
import type { AlarmLimitsDialogProps } from "./alarm-limits-dialog.tsx";

const copy = alarmCopy.limits;
const AlarmLimitsDialog = lazyDialog<AlarmLimitsDialogProps>(() => import("./alarm-limits-dialog.tsx"));

/** The loss that raises an alarm for this item, and the way to change it. */
export function AlarmLimitsNote({
  limits: known,
  itemId,
  canManage,
}: {
  limits: AlarmLimits;
  itemId: string;
  canManage: boolean;
}) {
  const [limits, setLimits] = useState(known);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p className="meta version-note">
      {copy.line(limits.lostPercent, limits.lostCount)}{" "}
      {canManage && (
        <button type="button" className="link" onClick={() => setIsOpen(true)}>
          {copy.change}
        </button>
      )}
      <AlarmLimitsDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        itemId={itemId}
        limits={limits}
        onSaved={setLimits}
      />
    </p>
  );
}
