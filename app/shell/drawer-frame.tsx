import { Dialog } from "radix-ui";
import { Modal } from "#app/components/modal.tsx";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";
import { SidebarLinks } from "./sidebar.tsx";

/** The content of `MenuDrawer`, loaded on first use. */
export default function DrawerFrame({
  shell,
  isOpen,
  onClose,
}: {
  shell: ShellView;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      className="drawer"
      data-appearance={useRailAppearance()}
      aria-describedby={undefined}
    >
      <Dialog.Title className="sr">{copy.menu}</Dialog.Title>
      <nav className="sidebar" aria-label={copy.main}>
        <SidebarLinks shell={shell} onGo={onClose} />
      </nav>
    </Modal>
  );
}
