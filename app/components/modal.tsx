import { Dialog } from "radix-ui";
import { type ComponentPropsWithoutRef, useRef } from "react";
import { isOnScrollbar } from "./is-on-scrollbar.ts";

type ModalProps = Omit<ComponentPropsWithoutRef<typeof Dialog.Content>, "onCloseAutoFocus" | "onPointerDownOutside"> & {
  isOpen: boolean;
  onClose: () => void;
};

/**
 * What dialogs and the drawer share: the layer above the page, and the focus, which returns to the opener. The content
 * needs a `Dialog.Title`.
 */
export function Modal({ isOpen, onClose, onOpenAutoFocus, ...content }: ModalProps) {
  const opener = useRef<HTMLElement | null>(null);
  const overlay = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal" ref={overlay}>
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
            onPointerDownOutside={(event) => {
              const layer = overlay.current;
              // Dragging the layer's scrollbar is no press beside the dialog.
              if (
                layer !== null &&
                event.target === layer &&
                isOnScrollbar(event.detail.originalEvent, layer)
              )
                event.preventDefault();
            }}
          />
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
