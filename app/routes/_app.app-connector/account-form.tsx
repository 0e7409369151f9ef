import { type FormEvent, useId, useState } from "react";
import { canAutoAdd, canName, changeByName, connectByName } from "#app/accounts/account-calls.ts";
import { type AccountNeed, needOfChange } from "#app/accounts/account-failure.ts";
import { ApiError } from "#app/api/call-api.ts";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { Field } from "#app/components/field.tsx";
import { TypedConfirm, useTyped } from "#app/components/typed-confirm.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { useMainSite } from "#app/embedding/use-main-site.ts";
import { canSave, hasTitles, nameFault, typedName } from "./account-form-rules.ts";
import type { ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.form;

/**
 * The form to connect an account by name, or to change to another one (spec P-127, P-266 to P-273). A change must be
 * confirmed by typing the name of the account whose backups it deletes (spec P-226 to P-231).
 */
export default function AccountForm({
  isOpen,
  onClose,
  app,
  many,
  onNeed,
  onDone,
}: {
  isOpen: boolean;
  onClose: () => void;
  app: ConnectorApp;
  many: string;
  /** Called when the account lacks the app or needs its code. */
  onNeed: (need: AccountNeed) => void;
  /** Called after the account was changed. `isConfirmed` false: its code was sent. */
  onDone: (account: { id: string | null; isConfirmed: boolean }) => void;
}) {
  const present = app.connection?.name ?? null;
  const [name, setName] = useState(present ?? "");
  const [isLeft, setIsLeft] = useState(false);
  const [isAutoAdd, setIsAutoAdd] = useState(false);
  const [typed, setTyped] = useTyped(isOpen);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const openMainSite = useMainSite();
  const isOff = !canSave({ name, present, typed, isSubmitting: isBusy });
  const fault = nameFault(name);

  async function save() {
    setIsBusy(true);
    setFailure(null);
    try {
      const changed =
        present === null
          ? {
              url: await connectByName(app.id, name, {
                isAutoAdd,
                ...(app.isAdding && { region: app.region }),
              }),
            }
          : await changeByName({ platform: app.id, connectionId: app.connection?.id ?? null }, name);
      const url = "url" in changed ? changed.url : null;
      if (url !== null && !openMainSite) return window.location.assign(url);
      onClose();
      if (url !== null) openMainSite?.();
      else onDone("id" in changed ? changed : { id: null, isConfirmed: true });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const need = needOfChange(cause);
      if (need) onNeed(need);
      else setFailure(cause);
    }
    setIsBusy(false);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isOff) void save();
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={present === null ? copy.connectTitle(app.label) : copy.changeTitle}
      footer={
        <DialogButtons
          variant={present === null ? "solid" : "danger"}
          label={copy.save}
          isBusy={isBusy}
          isOff={isOff}
          onConfirm={() => void save()}
          onClose={onClose}
        />
      }
    >
      {failure && <Callout tone="bad">{failure.message}</Callout>}
      <form method="post" className="stack" style={{ gap: 20 }} onSubmit={submit}>
        <Field
          label={canName(app.id) || hasTitles(app.id) ? copy.name : copy.username(app.label)}
          hint={present === null || canName(app.id) ? undefined : copy.consentNext(app.label)}
          value={name}
          errors={isLeft && fault !== null ? [fault] : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setName(typedName(app.id, event.target.value))}
          onBlur={() => setIsLeft(true)}
        />
        {present === null && canAutoAdd(app.id) && (
          <AutoAddChoice many={many} isAutoAdd={isAutoAdd} onChange={setIsAutoAdd} />
        )}
        {present !== null && (
          <>
            <Callout tone="warn">{copy.warning(present)}</Callout>
            <TypedConfirm expected={present} value={typed} onChange={setTyped} />
          </>
        )}
        {/* Enter submits; a form with several fields needs a submit button for that. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

function AutoAddChoice({
  many,
  isAutoAdd,
  onChange,
}: {
  many: string;
  isAutoAdd: boolean;
  onChange: (isAutoAdd: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="choice-line" htmlFor={id}>
      <Checkbox id={id} checked={isAutoAdd} onCheckedChange={(on) => onChange(on === true)} />
      <span>
        {accountCopy.autoAdd(many)}
        <span className="field__hint">{accountCopy.autoAddHint}</span>
      </span>
    </label>
  );
}
