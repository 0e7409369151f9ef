import { Dialog } from "radix-ui";
import { type ComponentPropsWithoutRef, useEffect, useRef } from "react";
import { isOnScrollbar } from "./is-on-scrollbar.ts";

type ModalProps = Omit<
  ComponentPropsWithoutRef<typeof Dialog.Content>,
  "onCloseAutoFocus" | "onPointerDownOutside"
> & {
  isOpen: boolean;
  onClose: () => void;
};

/** The opener of a dialog that closes in this moment. One that replaces it has the same opener. */
let lastOpener: HTMLElement | null = null;

/**
 * What dialogs and the drawer share: the layer above the page, and the focus, which returns to the opener. The content
 * needs a `Dialog.Title`.
 */
export function Modal({ isOpen, onClose, onOpenAutoFocus, ...content }: ModalProps) {
  const opener = useRef<HTMLElement | null>(null);
  const overlay = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      lastOpener = opener.current;
    };
  }, [isOpen]);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal" ref={overlay}>
          <Dialog.Content
            {...content}
            onOpenAutoFocus={(event) => {
              const { activeElement, body } = document;
              opener.current =
                activeElement instanceof HTMLElement && activeElement !== body ? activeElement : lastOpener;
              onOpenAutoFocus?.(event);
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              lastOpener = null;
              // The dialog that replaced this one, or the one below it, keeps the focus.
              if (document.activeElement?.closest('[role="dialog"]')) return;
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
