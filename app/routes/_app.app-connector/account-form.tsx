import { Form } from "@remix-run/react";
import { useId, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { isConfirmed, TypedConfirm } from "#app/components/typed-confirm.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { canName, changeByName, connectByName } from "./account-calls.ts";
import type { ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.form;

/**
 * Names an account to connect, or to change to (spec P-127, P-266 to P-273). A change is asked for by typing the name of
 * the account whose backups it deletes (spec P-226, P-231).
 */
export default function AccountForm({
  isOpen,
  onClose,
  app,
  many,
  onDone,
}: {
  isOpen: boolean;
  onClose: () => void;
  app: ConnectorApp;
  many: string;
  /** After the account was changed; `isConfirmed` false = its code was sent. */
  onDone: (account: { isConfirmed: boolean }) => void;
}) {
  const present = app.connection?.name ?? null;
  const [name, setName] = useState(present ?? "");
  const [isLeft, setIsLeft] = useState(false);
  const [isAutoAdd, setIsAutoAdd] = useState(false);
  const [typed, setTyped] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const id = useId();
  const isNamed = canName(app.id);
  const fault = name === "" ? copy.required : name.length < 2 ? copy.short : null;
  const isSame = present !== null && name.toLowerCase() === present.toLowerCase();
  const isTyped = present === null || isConfirmed(present, typed);
  const reason = !isTyped ? copy.typeFirst : !isNamed ? null : (fault ?? (isSame ? copy.same : null));

  async function save() {
    setIsBusy(true);
    setFailure(null);
    try {
      if (present === null) {
        const { url } = await connectByName(app.id, name, isAutoAdd);
        if (url !== null) return window.location.assign(url);
        onDone({ isConfirmed: true });
      } else onDone(await changeByName(app.id, name));
      onClose();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setFailure(cause);
    }
    setIsBusy(false);
  }

  /* The platform's app is missing there: it can be installed right from here (spec P-418, P-421). */
  const canInstall = failure !== null && app.installUrl !== null && isAboutApp(failure);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={present === null ? copy.connectTitle(app.label) : copy.changeTitle}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {dialogCopy.cancel}
          </Button>
          {isNamed ? (
            <Button
              variant={present === null ? "solid" : "danger"}
              isBusy={isBusy}
              reason={reason}
              onClick={() => void save()}
            >
              {copy.save}
            </Button>
          ) : (
            <Form method="post">
              <input type="hidden" name="platform" value={app.id} />
              <input type="hidden" name="region" value={app.connection?.region ?? ""} />
              <input type="hidden" name="change" value="true" />
              <Button type="submit" variant="danger" reason={reason}>
                {copy.consent}
              </Button>
            </Form>
          )}
        </>
      }
    >
      {failure && (
        <Callout
          tone={canInstall ? "warn" : "bad"}
          action={
            canInstall && (
              <a
                className="btn btn-outline btn-s"
                href={app.installUrl ?? ""}
                target="_blank"
                rel="noreferrer"
              >
                {accountCopy.install}
              </a>
            )
          }
        >
          {failure.message}
        </Callout>
      )}
      {isNamed && (
        <Field
          label={copy.name}
          value={name}
          errors={isLeft && fault !== null ? [fault] : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value.replace(/\s/g, ""))}
          onBlur={() => setIsLeft(true)}
        />
      )}
      {present === null ? (
        <label className="choice-line" htmlFor={id}>
          <Checkbox id={id} checked={isAutoAdd} onCheckedChange={(on) => setIsAutoAdd(on === true)} />
          <span>
            {accountCopy.autoAdd(many)}
            <span className="field__hint">{accountCopy.autoAddHint}</span>
          </span>
        </label>
      ) : (
        <>
          <Callout tone="warn">{copy.warning(present)}</Callout>
          <TypedConfirm expected={present} value={typed} onChange={setTyped} />
        </>
      )}
    </Dialog>
  );
}

function isAboutApp({ code, status }: ApiError): boolean {
  return code === "err.app.missing" || status === 404;
}
