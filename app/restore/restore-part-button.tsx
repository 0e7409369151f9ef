import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { VersionRef } from "#app/version/address.ts";
import type { RestorableParts } from "#core/browsing/views.ts";
import type { RestoreDialogProps } from "./restore-dialog.tsx";

const RestoreDialog = lazyDialog<RestoreDialogProps>(() => import("./restore-dialog.tsx"), "l");

/** A version, and what of it can be restored by itself. */
export type PartsOf = VersionRef & { parts: RestorableParts; timeZone: string };

/**
 * A button that opens the restore of an entry; nothing for one that cannot be restored by itself. `isIcon` shows an icon
 * with an accessible name.
 */
export function RestorePartButton({
  data: { platform, itemId, snapshotId, parts, timeZone },
  path,
  title,
  isIcon = false,
  size,
}: {
  data: PartsOf;
  path: string;
  title: string;
  isIcon?: boolean;
  size?: "s";
}) {
  const [isOpen, setIsOpen] = useState(false);
  const part = Object.hasOwn(parts, path) ? parts[path] : undefined;
  if (part === undefined) return null;
  const name = copy.title(visibleName(title.trim()) || path);
  return (
    <>
      {isIcon ? (
        <IconButton label={name} onClick={() => setIsOpen(true)}>
          <RotateCcw aria-hidden />
        </IconButton>
      ) : (
        <Button size={size} onClick={() => setIsOpen(true)} aria-label={size === "s" ? name : undefined}>
          <RotateCcw aria-hidden />
          {size === "s" ? copy.restore : copy.part.open(part.one)}
        </Button>
      )}
      <RestoreDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        platform={platform}
        part={{ itemId, snapshotId, path, title, ...part }}
        timeZone={timeZone}
      />
    </>
  );
}
