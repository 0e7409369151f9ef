import { type ReactNode, useState } from "react";
import { dialogCopy } from "#app/copy/shared.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
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
        <>
          <Button variant="ghost" onClick={close}>
            {dialogCopy.cancel}
          </Button>
          <Button
            variant="danger"
            isBusy={isBusy}
            aria-disabled={!isConfirmed(expected, typed)}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <TypedConfirm expected={expected} value={typed} onChange={setTyped} />
    </Dialog>
  );
}
