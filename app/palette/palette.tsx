import { useNavigate } from "@remix-run/react";
import { ArrowLeft, Search, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "#app/components/icon-button.tsx";
import { Modal } from "#app/components/modal.tsx";
import { paletteCopy as copy } from "#app/copy/palette.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { openTab } from "#app/embedding/open-outside.ts";
import { useNow } from "#app/format/use-now.ts";
import type { ShellView } from "#app/shell/shell-view.ts";
import { isPaletteKey } from "#app/shell/shortcuts.ts";
import type { Command, Scope } from "./commands.ts";
import { PaletteList } from "./palette-list.tsx";
import { addressOf, backUpNow } from "./run-command.ts";
import { useCommands } from "./use-commands.ts";
import "./palette.css";

export type PaletteProps = {
  isOpen: boolean;
  onClose: () => void;
  onShortcuts: () => void;
  /** What was typed while the palette was still loading. */
  typedAhead: () => string;
  shell: ShellView;
};

/**
 * Finds items, their newest versions, pages and commands by name, and opens or runs them. A combobox with a list (WAI-ARIA
 * Authoring Practices): the focus stays in the field, arrow keys move through the list, Enter chooses.
 */
export default function Palette({ isOpen, onClose, ...rest }: PaletteProps) {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      className="dialog dialog-m palette"
      aria-describedby={undefined}
      // The content handles Escape: inside an item it leads back.
      onEscapeKeyDown={(event) => event.preventDefault()}
    >
      <Dialog.Title className="sr">{copy.title}</Dialog.Title>
      <PaletteBody onClose={onClose} {...rest} />
    </Modal>
  );
}

/** Begins anew each time the palette opens. */
function PaletteBody({ onClose, onShortcuts, typedAhead, shell }: Omit<PaletteProps, "isOpen">) {
  const navigate = useNavigate();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(typedAhead);
  const [scope, setScope] = useState<Scope>({ kind: "all" });
  const [wantedId, setWantedId] = useState<string | null>(null);
  const now = useNow(shell.now);
  const found = useCommands(shell, scope, text, now);
  const commands = found.groups.flatMap((group) => group.commands);
  const active = commands.find(({ id }) => id === wantedId) ?? commands[0] ?? null;

  function enter(next: Scope) {
    setScope(next);
    setText(next.kind === "names" ? next.text : "");
    setWantedId(null);
    field.current?.focus();
  }

  function choose(command: Command) {
    if (command.reason) return;
    if (command.does === "choose-item") return enter({ kind: "item", item: command.item });
    if (command.does === "pick") return enter({ kind: "pick", verb: command.verb });
    if (command.does === "search-names") return enter({ kind: "names", text: command.text });
    if (command.does === "search-further") {
      // The line goes when everything is searched; the one before it stays marked.
      setWantedId(commands.at(-2)?.id ?? null);
      return found.searchFurther();
    }
    onClose();
    if (command.does === "shortcuts") return onShortcuts();
    if (command.does === "back-up") return void backUpNow(command.item);
    const address = addressOf(command);
    if (address?.startsWith("/")) navigate(address);
    else if (address) openTab(address);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      return onClose();
    }
    if (event.key === "Escape") return scope.kind === "all" ? onClose() : enter({ kind: "all" });
    if (event.target !== field.current) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && active !== null) {
      event.preventDefault();
      const at = commands.indexOf(active) + step;
      setWantedId(commands[(at + commands.length) % commands.length]?.id ?? null);
    } else if (event.key === "Enter" && active !== null) {
      event.preventDefault();
      choose(active);
    } else if (event.key === "Backspace" && text === "" && scope.kind !== "all") {
      event.preventDefault();
      enter({ kind: "all" });
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: -- it only receives the keys of the field and the buttons
    <div className="palette__body" onKeyDown={onKeyDown}>
      <div className="palette__field">
        {scope.kind === "all" ? (
          <Search aria-hidden />
        ) : (
          <IconButton label={copy.back} onClick={() => enter({ kind: "all" })}>
            <ArrowLeft aria-hidden />
          </IconButton>
        )}
        <ScopeName scope={scope} />
        <input
          ref={field}
          role="combobox"
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-activedescendant={active ? optionId(listId, active.id) : undefined}
          aria-autocomplete="list"
          aria-label={labelOf(scope)}
          placeholder={labelOf(scope)}
          type="text"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWantedId(null);
          }}
        />
        <IconButton label={dialogCopy.close} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <PaletteList
        id={listId}
        groups={found.groups}
        activeId={active?.id ?? null}
        optionId={(id) => optionId(listId, id)}
        isSearching={found.isSearching}
        onPoint={setWantedId}
        onChoose={choose}
      />
      <PaletteNote
        {...found}
        count={commands.filter(({ does }) => does !== "search-names").length}
        scope={scope}
        text={text.trim()}
      />
      <p className="palette__keys meta" aria-hidden>
        <span>
          <span className="kbd">↑</span> <span className="kbd">↓</span> {copy.keys.choose}
        </span>
        <span>
          <span className="kbd">↵</span> {copy.keys.open}
        </span>
        <span>
          <span className="kbd">Esc</span> {scope.kind === "all" ? copy.keys.close : copy.keys.back}
        </span>
      </p>
    </div>
  );
}

const optionId = (listId: string, id: string) => `${listId}-${id}`;

function labelOf(scope: Scope): string {
  if (scope.kind === "all") return copy.placeholder;
  if (scope.kind === "item") return copy.placeholderOf.item;
  if (scope.kind === "names") return copy.placeholderOf.names;
  return scope.verb === "back-up" ? copy.placeholderOf.backUp : copy.placeholderOf.restore;
}

/** The item, command or search that is chosen, before the field. */
function ScopeName({ scope }: { scope: Scope }) {
  if (scope.kind === "all") return null;
  return <span className="palette__scope clip">{nameOf(scope)}</span>;
}

function nameOf(scope: Exclude<Scope, { kind: "all" }>): string {
  if (scope.kind === "item") return scope.item.name;
  if (scope.kind === "names") return copy.names.scope;
  return scope.verb === "back-up" ? copy.backUp : copy.restore;
}

/** What there is to say below the list, on screen or to a screen reader once the typing rests. */
function PaletteNote({
  count,
  hasMore,
  isSearching,
  failure,
  note,
  scope,
  text,
}: {
  count: number;
  hasMore: boolean;
  isSearching: boolean;
  failure: string | null;
  note: string | null;
  scope: Scope;
  text: string;
}) {
  const seen =
    failure ??
    note ??
    (hasMore
      ? copy.more
      : count > 0 || isSearching
        ? null
        : text === "" && scope.kind === "pick"
          ? copy.typeName
          : text === ""
            ? null
            : copy.nothing(text));
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (!isSearching && text !== "") setSpoken(copy.found(count));
  }, [isSearching, text, count]);
  return (
    <>
      {seen !== null && <p className="palette__note soft">{seen}</p>}
      <p className="sr" role="status">
        {seen ?? spoken}
      </p>
    </>
  );
}
