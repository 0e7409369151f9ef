import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RestoreDialogProps } from "./restore-dialog.tsx";
import type { ChosenPart } from "./restore-subject.ts";

const RestoreDialog = lazyDialog<RestoreDialogProps>(() => import("./restore-dialog.tsx"), "l");

/** A button that opens the restore of a part of a version; `isIcon` shows an icon with an accessible name. */
export function RestorePartButton({
  platform,
  part,
  timeZone,
  isIcon = false,
  size,
}: {
  platform: string;
  part: ChosenPart;
  timeZone: string;
  isIcon?: boolean;
  size?: "s";
}) {
  const [isOpen, setIsOpen] = useState(false);
  const name = copy.title(visibleName(part.title.trim()) || part.path);
  return (
    <>
      {isIcon ? (
        <IconButton label={name} onClick={() => setIsOpen(true)}>
          <RotateCcw aria-hidden />
        </IconButton>
      ) : (
        <Button size={size} onClick={() => setIsOpen(true)} aria-label={size === "s" ? name : undefined}>
          <RotateCcw aria-hidden />
          {size === "s" ? copy.restore : copy.part.open[part.kind]}
        </Button>
      )}
      <RestoreDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        platform={platform}
        part={part}
        timeZone={timeZone}
      />
    </>
  );
}
