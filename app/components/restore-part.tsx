import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { restoreCopy } from "#app/copy/restore.ts";
import { restorePartCopy as copy } from "#app/copy/restore-part.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { lazyWhenOpen } from "./lazy-when-open.tsx";
import type { RestoredPart } from "./part-plan.tsx";
import type { RestorePartDialogProps } from "./restore-part-dialog.tsx";

const RestorePartDialog = lazyWhenOpen<RestorePartDialogProps>(() => import("./restore-part-dialog.tsx"));

/** A button that opens the restore of one card or list. With `isIcon` it is an icon button with an accessible name. */
export function RestorePart({
  platform,
  part,
  timeZone,
  isIcon = false,
  size,
}: {
  platform: string;
  part: RestoredPart;
  timeZone: string;
  isIcon?: boolean;
  size?: "s";
}) {
  const [isOpen, setIsOpen] = useState(false);
  const name = copy.openName(visibleName(part.title.trim()) || part.path);
  return (
    <>
      {isIcon ? (
        <IconButton label={name} onClick={() => setIsOpen(true)}>
          <RotateCcw aria-hidden />
        </IconButton>
      ) : (
        <Button size={size} onClick={() => setIsOpen(true)} aria-label={size === "s" ? name : undefined}>
          <RotateCcw aria-hidden />
          {size === "s" ? restoreCopy.restore : copy.open[part.kind]}
        </Button>
      )}
      <RestorePartDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        platform={platform}
        part={part}
        timeZone={timeZone}
      />
    </>
  );
}
