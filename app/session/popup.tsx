import { useSyncExternalStore } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { dialogCopy } from "#app/copy/shared.ts";
import type { Notice } from "./notice.ts";

let open: Notice | null = null;
const watchers = new Set<() => void>();

/** Delay, in ms. The dialog of the failed call may be opening; the popup opens later, so that it is on top. */
const AFTER_MS = 150;

let coming: ReturnType<typeof setTimeout> | null = null;

/** Shows a popup on top of everything. Ignored while another popup is open. */
export function showPopup(notice: Notice): void {
  if (open !== null || coming !== null) return;
  coming = setTimeout(() => {
    coming = null;
    open = notice;
    publish();
  }, AFTER_MS);
}

/** Renders the popup. Used once on every page. */
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
  publish();
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function publish(): void {
  for (const watcher of watchers) watcher();
}
