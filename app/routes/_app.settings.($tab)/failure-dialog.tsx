import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { settingsCopy as copy } from "#app/copy/settings.ts";

/** Every failure of a settings call: titled as the spec writes it, with the server's text and a way to close it. */
export function FailureDialog({ text, onClose }: { text: string | null; onClose: () => void }) {
  /* The words stay while the dialog fades out. */
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
