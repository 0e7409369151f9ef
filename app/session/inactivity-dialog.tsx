import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { inactivityCopy as copy, shellCopy } from "#app/copy/shell.ts";
import { leave } from "./leave.ts";
import type { SessionState } from "./marker.ts";

/** Shown during the last minute before the session ends. Any response counts as activity (spec A-289). */
export function InactivityDialog({ state, onStay }: { state: SessionState; onStay: () => void }) {
  const isOpen = state.kind === "warning";
  const [leftMs, setLeftMs] = useState(0);
  const shown = isOpen ? state.leftMs : leftMs;
  useEffect(() => {
    if (isOpen) setLeftMs(state.leftMs);
  }, [isOpen, state]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onStay}
      title={copy.title}
      description={<span className="sr">{copy.spoken}</span>}
      footer={
        <>
          <Button variant="ghost" onClick={() => void leave("chosen")}>
            {shellCopy.signOut}
          </Button>
          <Button variant="solid" onClick={onStay}>
            {copy.stay}
          </Button>
        </>
      }
    >
      <p aria-hidden>
        {copy.before} <b className="mono">{clockText(shown)}</b> {copy.after}
      </p>
    </Dialog>
  );
}

/** "0:52" */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
