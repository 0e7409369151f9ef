import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogButtons } from "./dialog-buttons.tsx";
import { isConfirmed, TypedConfirm } from "./typed-confirm.tsx";

/** A dialog whose action deletes backups: its button works once the user has typed the name. Closing clears it. */
export function TypedDialog({
  isOpen,
  onClose,
  title,
  confirm,
  expected,
  isBusy,
  onConfirm,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The label of the button. */
  confirm: string;
  /** The name to type. */
  expected: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What the action does. */
  children: ReactNode;
}) {
  const [typed, setTyped] = useState("");
  const close = () => {
    setTyped("");
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      footer={
        <DialogButtons
          variant="danger"
          label={confirm}
          isBusy={isBusy}
          isOff={!isConfirmed(expected, typed)}
          onConfirm={onConfirm}
          onClose={close}
        />
      }
    >
      {children}
      <TypedConfirm expected={expected} value={typed} onChange={setTyped} />
    </Dialog>
  );
}
