import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";

/** An alert for a rejected form: the server's message and a button (spec ). */
export function FailureAlert({
  title,
  close,
  text,
  onClose,
}: {
  title: string;
  close: string;
  text: string | null;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen={text !== null}
      onClose={onClose}
      title={title}
      footer={
        <Button variant="solid" onClick={onClose}>
          {close}
        </Button>
      }
    >
      <p role="alert">{text}</p>
    </Dialog>
  );
}
