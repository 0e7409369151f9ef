import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { dialogCopy } from "#app/copy/shared.ts";
import { IconButton } from "./icon-button.tsx";
import { Modal } from "./modal.tsx";

export type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Announced after the title. Omit it when the body explains itself. */
  description?: ReactNode;
  /** Width: `s` 480, `m` 640, `l` 880 px. Full height below 600 px. */
  size?: "s" | "m" | "l";
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  children?: ReactNode;
  /** For a body with its own padding (two columns, a list). */
  isFlush?: boolean;
};

/** The content of `Dialog`. Pressing a toast above the dialog does not close it. */
export default function DialogFrame({
  isOpen,
  onClose,
  title,
  description,
  size = "s",
  footer,
  children,
  isFlush,
}: DialogProps) {
  const isShown = useInTurn(isOpen);
  return (
    <Modal
      isOpen={isShown}
      onClose={onClose}
      className={size === "l" ? "dialog" : `dialog dialog-${size}`}
      {...(description ? {} : { "aria-describedby": undefined })}
      onOpenAutoFocus={(event) => {
        /* Focus the frame itself, so that the title is read first and the close button's tooltip does not open. */
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      }}
      onInteractOutside={(event) => {
        if ((event.target as Element | null)?.closest?.("[data-sonner-toaster]")) event.preventDefault();
      }}
    >
      <div className="dialog__head">
        <div>
          <Dialog.Title className="dialog__title">{title}</Dialog.Title>
          {description && <Dialog.Description className="soft">{description}</Dialog.Description>}
        </div>
        <Dialog.Close asChild>
          <IconButton label={dialogCopy.close}>
            <X aria-hidden />
          </IconButton>
        </Dialog.Close>
      </div>
      {isFlush ? children : <div className="dialog__plain">{children}</div>}
      {footer && <div className="dialog__foot">{footer}</div>}
    </Modal>
  );
}

let lastOpened = Promise.resolve();

/**
 * Opens dialogs one after the other. Two dialogs that open in one commit, e.g. because both waited for this file, would
 * hide each other from assistive technology.
 */
function useInTurn(isOpen: boolean): boolean {
  const [isMyTurn, setIsMyTurn] = useState(false);
  useEffect(() => {
    if (!isOpen) return setIsMyTurn(false);
    let isGone = false;
    lastOpened = lastOpened.then(() => {
      if (!isGone) flushSync(() => setIsMyTurn(true));
    });
    return () => {
      isGone = true;
    };
  }, [isOpen]);
  return isOpen && isMyTurn;
}
