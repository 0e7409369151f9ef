import { Fragment, useId, useState } from "react";
import DialogFrame from "#app/components/dialog-frame.tsx";
import { Switch } from "#app/components/switch.tsx";
import { shortcutsCopy as copy } from "#app/copy/palette.ts";
import { PaletteKey } from "./palette-key.tsx";
import type { ShellView } from "./shell-view.ts";
import { keyedPages, PREFIX } from "./shortcuts.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";
import "./keys-dialog.css";

/** The keyboard shortcuts, and the switch for those of single keys. */
export default function KeysDialog({
  isOpen,
  onClose,
  shell,
}: {
  isOpen: boolean;
  onClose: () => void;
  shell: ShellView;
}) {
  const switchId = useId();
  const [isOn, setIsOn] = useState(hasSingleKeys);
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={copy.title}>
      <dl className="key-list">
        <dt>{copy.palette}</dt>
        <dd>
          <PaletteKey />
        </dd>
        <dt>{copy.rows}</dt>
        <dd>
          <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd>
        </dd>
        {[
          { keys: ["?"], label: copy.keys },
          { keys: ["/"], label: copy.search },
          { keys: ["["], label: copy.rail },
          ...keyedPages(shell).map(({ key, label }) => ({ keys: [PREFIX, key], label: copy.goTo(label) })),
        ].map(({ keys, label }) => (
          <Fragment key={label}>
            <dt className={isOn ? undefined : "soft"}>{label}</dt>
            <dd>
              {keys.map((key, at) => (
                <Fragment key={key}>
                  {at > 0 && <span className="meta"> {copy.between} </span>}
                  <kbd className="kbd">{key}</kbd>
                </Fragment>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
      <label className="key-switch" htmlFor={switchId}>
        <Switch
          id={switchId}
          checked={isOn}
          onCheckedChange={(next) => {
            setSingleKeys(next);
            setIsOn(next);
          }}
        />
        <span>
          {copy.single}
          <span className="meta">{copy.singleNote}</span>
        </span>
      </label>
    </DialogFrame>
  );
}
