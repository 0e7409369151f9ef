import { Dialog } from "@radix-ui/themes";
import { Menu } from "lucide-react";
import { useState } from "react";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";
import { SidebarLinks } from "./sidebar.tsx";

/** The rail as a drawer, for screens of 900 px and less. */
export function MenuDrawer({ shell }: { shell: ShellView }) {
  const [isOpen, setIsOpen] = useState(false);
  const rail = useRailAppearance();
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger>
        <button type="button" className="icon-btn icon-btn-l only-s" aria-label={copy.menu}>
          <Menu className="icon-l" aria-hidden />
        </button>
      </Dialog.Trigger>
      <Dialog.Content className="drawer" data-appearance={rail} aria-describedby={undefined}>
        <Dialog.Title className="sr">{copy.menu}</Dialog.Title>
        <nav className="sidebar" aria-label={copy.main}>
          <SidebarLinks shell={shell} onGo={() => setIsOpen(false)} />
        </nav>
      </Dialog.Content>
    </Dialog.Root>
  );
}
