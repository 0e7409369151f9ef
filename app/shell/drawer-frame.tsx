import { Dialog } from "@radix-ui/themes";
import { useRef } from "react";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";
import { SidebarLinks } from "./sidebar.tsx";

/** The content of `MenuDrawer`, loaded on first use. Focus returns to its button. */
export default function DrawerFrame({
  shell,
  isOpen,
  onClose,
}: {
  shell: ShellView;
  isOpen: boolean;
  onClose: () => void;
}) {
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Content
        className="drawer"
        data-appearance={useRailAppearance()}
        aria-describedby={undefined}
        onOpenAutoFocus={() => {
          opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener.current?.isConnected) opener.current.focus();
        }}
      >
        <Dialog.Title className="sr">{copy.menu}</Dialog.Title>
        <nav className="sidebar" aria-label={copy.main}>
          <SidebarLinks shell={shell} onGo={onClose} />
        </nav>
      </Dialog.Content>
    </Dialog.Root>
  );
}
