import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { settingsCopy as copy } from "#app/copy/settings.ts";

/** The error dialog of all settings calls, with the spec's title and the server's message. */
export function FailureDialog({ text, onClose }: { text: string | null; onClose: () => void }) {
  /* Keep the text while the dialog fades out. */
  const last = useRef("");
  if (text !== null) last.current = text;
  return (
    <Dialog
      isOpen={text !== null}
      onClose={onClose}
      title={copy.error}
      description={last.current}
      isFlush
      footer={
        <Button variant="solid" onClick={onClose}>
          {copy.close}
        </Button>
      }
    />
  );
}
