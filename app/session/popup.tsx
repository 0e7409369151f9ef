import { useSyncExternalStore } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { dialogCopy } from "#app/copy/shared.ts";
import type { Notice } from "./notice.ts";

let open: Notice | null = null;
const watchers = new Set<() => void>();

/** A dialog that asked the failed call may be opening itself: the popup comes after it, and so lies above it. */
const AFTER_MS = 150;

let coming: ReturnType<typeof setTimeout> | null = null;

/** Shows a popup above everything; one at a time, a second one while it is open changes nothing. */
export function showPopup(notice: Notice): void {
  if (open !== null || coming !== null) return;
  coming = setTimeout(() => {
    coming = null;
    open = notice;
    tell();
  }, AFTER_MS);
}

/** Where popups appear; once on every page. */
export function Popup() {
  const notice = useSyncExternalStore(
    watch,
    () => open,
    () => null,
  );
  return (
    <Dialog
      isOpen={notice !== null}
      onClose={close}
      title={notice?.title ?? ""}
      footer={
        <Button variant="solid" onClick={close}>
          {dialogCopy.close}
        </Button>
      }
    >
      <p>{notice?.text}</p>
    </Dialog>
  );
}

function close(): void {
  open = null;
  tell();
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function tell(): void {
  for (const watcher of watchers) watcher();
}
