import { Dialog } from "radix-ui";
import { type ComponentPropsWithoutRef, useRef } from "react";

type ModalProps = Omit<ComponentPropsWithoutRef<typeof Dialog.Content>, "onCloseAutoFocus"> & {
  isOpen: boolean;
  onClose: () => void;
};

/**
 * What dialogs and the drawer share: the layer above the page, and the focus, which returns to the opener. The content
 * needs a `Dialog.Title`.
 */
export function Modal({ isOpen, onClose, onOpenAutoFocus, ...content }: ModalProps) {
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal">
          <Dialog.Content
            {...content}
            onOpenAutoFocus={(event) => {
              opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
              onOpenAutoFocus?.(event);
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current?.isConnected) opener.current.focus();
            }}
          />
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
