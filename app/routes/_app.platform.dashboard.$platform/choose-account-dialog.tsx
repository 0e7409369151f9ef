import { useNavigate } from "@remix-run/react";
import { useEffect, useId, useState } from "react";
import { chooseAccountByName } from "#app/accounts/account-calls.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { chooseAccountCopy as copy } from "#app/copy/item-dialogs.ts";

/** Selects one of the accounts that a consent has opened, by its name (spec P-011, P-288). */
export function ChooseAccountDialog({
  isOpen,
  onClose,
  platform,
  label,
  names,
}: {
  isOpen: boolean;
  onClose: () => void;
  platform: string;
  /** The platform's name. */
  label: string;
  names: readonly string[];
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { isBusy, isDone, refusal, refuse, send } = useRequest();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOpen) return;
    setChosen(null);
    refuse(null);
  }, [isOpen, refuse]);

  async function connect(name: string) {
    await send(async () => {
      const id = await chooseAccountByName(platform, name);
      onClose();
      navigate(`/platform/dashboard/${platform}?${new URLSearchParams({ account: id, connected: "true" })}`);
    });
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title(label)}
      description={copy.text}
      footer={
        <DialogButtons
          label={copy.connect}
          isBusy={isBusy || isDone}
          reason={chosen === null ? copy.first : null}
          onConfirm={() => chosen !== null && void connect(chosen)}
          onClose={onClose}
        />
      }
    >
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <NameChoice label={copy.title(label)} names={names} chosen={chosen} onChoose={setChosen} />
    </Dialog>
  );
}

/** One radio button for each name; none is chosen at first. */
export function NameChoice({
  label,
  names,
  chosen,
  onChoose,
}: {
  label: string;
  names: readonly string[];
  chosen: string | null;
  onChoose: (name: string) => void;
}) {
  const id = useId();
  return (
    <fieldset className="item-picker" aria-label={label}>
      <ul>
        {names.map((name, at) => (
          <li key={name}>
            <input
              type="radio"
              id={`${id}-${at}`}
              name={id}
              checked={name === chosen}
              onChange={() => onChoose(name)}
            />
            <label htmlFor={`${id}-${at}`} className="item-picker__name">
              <span className="medium clip" dir="auto">
                {name}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
