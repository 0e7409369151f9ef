import {
  Box,
  ChevronRight,
  FileText,
  History,
  Keyboard,
  type LucideIcon,
  RefreshCw,
  RotateCcw,
  ScanSearch,
} from "lucide-react";
import { useEffect } from "react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { paletteCopy as copy } from "#app/copy/palette.ts";
import type { Command, CommandGroup } from "./commands.ts";

/** The list below the field. The pointer marks the line that it is on, as the arrow keys do. */
export function PaletteList({
  id,
  groups,
  activeId,
  optionId,
  isSearching,
  onPoint,
  onChoose,
}: {
  id: string;
  groups: readonly CommandGroup[];
  activeId: string | null;
  optionId: (commandId: string) => string;
  isSearching: boolean;
  onPoint: (commandId: string) => void;
  onChoose: (command: Command) => void;
}) {
  useEffect(() => {
    const option = activeId === null ? null : document.getElementById(optionId(activeId));
    option?.scrollIntoView({ block: "nearest" });
  }, [activeId, optionId]);
  return (
    <div id={id} role="listbox" aria-label={copy.title} aria-busy={isSearching} className="palette__list">
      {groups.map(({ label, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: -- a group of options in a listbox
        <div key={label} role="group" aria-label={label}>
          <p className="palette__group" aria-hidden>
            {label}
          </p>
          {commands.map((command) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: -- the focus stays in the field, which handles the keys
            <div
              key={command.id}
              id={optionId(command.id)}
              role="option"
              tabIndex={-1}
              aria-selected={command.id === activeId}
              aria-disabled={command.reason ? true : undefined}
              className="palette__option"
              // Not `onPointerEnter`: the list may move under a resting pointer.
              onPointerMove={() => command.id !== activeId && onPoint(command.id)}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(command)}
            >
              <CommandLine command={command} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function CommandLine({ command }: { command: Command }) {
  const end = command.reason ?? command.note;
  return (
    <>
      <Mark command={command} />
      <span className={command.does === "version" ? "palette__label clip mono" : "palette__label clip"}>
        {command.label}
        {command.detail && <span className="palette__detail"> {command.detail}</span>}
      </span>
      {end && <span className="palette__end meta">{end}</span>}
      {(command.does === "choose-item" || command.does === "pick" || command.does === "search-names") && (
        <ChevronRight className="icon-s" aria-hidden />
      )}
    </>
  );
}

const ICONS: Record<Command["does"], LucideIcon> = {
  go: FileText,
  "choose-item": Box,
  "back-up": RefreshCw,
  restore: RotateCcw,
  history: History,
  version: Box,
  pick: Box,
  "search-names": ScanSearch,
  "search-further": ScanSearch,
  shortcuts: Keyboard,
};

function Mark({ command }: { command: Command }) {
  if (command.platform !== undefined) return <PlatformMark platform={command.platform} />;
  const Icon = ICONS[command.does === "pick" ? command.verb : command.does];
  return <Icon aria-hidden />;
}
