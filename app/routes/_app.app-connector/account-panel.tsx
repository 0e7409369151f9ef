import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { Switch } from "#app/components/switch.tsx";
import { notify } from "#app/components/toasts.ts";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import { itemsCopy } from "#app/copy/items.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { canAutoAdd, canName, setAutoAdd } from "./account-calls.ts";
import type { ConnectorApp } from "./queries.server.ts";

const AccountForm = lazyWhenOpen(() => import("./account-form.tsx"));
const CodeDialog = lazyWhenOpen(() => import("./code-dialog.tsx"));

/** How long the platform may take until what was confirmed shows up in lists (spec P-212). */
const REFETCH_AFTER_MS = 10_000;

/** The account of a platform: what is connected, and for its owner the way to another one (spec P-309). */
export function AccountPanel({ app }: { app: ConnectorApp }) {
  const [search] = useSearchParams();
  const { connection } = app;
  const isPending = connection !== null && !connection.isConfirmed;
  const [dialog, setDialog] = useState<"form" | "code" | null>(
    isPending && search.get("githubConfirmStatus") === "pending" ? "code" : null,
  );
  const [isOn, setIsOn] = useState(connection?.isAutoAdd ?? false);
  const refresh = useRefresh();
  const later = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(later.current), []);
  const many = descriptors.find(({ id }) => id === app.id)?.itemKinds[0]?.many ?? "";

  async function change(isAutoAdd: boolean) {
    setIsOn(isAutoAdd);
    try {
      await setAutoAdd(app.id, isAutoAdd);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setIsOn(!isAutoAdd);
      notify(cause.message, { tone: "bad" });
    }
  }

  return (
    <section className="stack" aria-label={copy.title} style={{ marginBottom: 24 }}>
      {connection?.lostReason === "app" && (
        <Callout
          tone="bad"
          action={
            app.installUrl && (
              <a className="btn btn-outline btn-s" href={app.installUrl} target="_blank" rel="noreferrer">
                {copy.install}
              </a>
            )
          }
        >
          {itemsCopy.appDeleted(app.label)}
        </Callout>
      )}
      {isPending && (
        <Callout
          tone="warn"
          action={
            <Button size="s" onClick={() => setDialog("code")}>
              {copy.enterCode}
            </Button>
          }
        >
          {copy.unconfirmed}
        </Callout>
      )}
      {connection && canAutoAdd(app.id) && (
        <div className="row between">
          <span>
            {copy.autoAdd(many)}
            <span className="field__hint">{copy.autoAddHint}</span>
          </span>
          <Switch
            checked={isOn}
            aria-label={copy.autoAdd(many)}
            onCheckedChange={(on: boolean) => void change(on)}
          />
        </div>
      )}
      {connection && !app.isOwner && <p className="meta">{copy.ownerOnly}</p>}
      {(connection ? app.isOwner : canName(app.id)) && (
        <p>
          <Button onClick={() => setDialog("form")}>{connection ? copy.change : copy.byName}</Button>
        </p>
      )}
      <AccountForm
        isOpen={dialog === "form"}
        onClose={() => setDialog(null)}
        app={app}
        many={many}
        onDone={({ isConfirmed }) => {
          refresh();
          if (!isConfirmed) setTimeout(() => setDialog("code"), 0);
        }}
      />
      <CodeDialog
        isOpen={dialog === "code"}
        onClose={() => setDialog(null)}
        app={app}
        onConfirmed={() => {
          refresh();
          later.current = setTimeout(refresh, REFETCH_AFTER_MS);
        }}
      />
    </section>
  );
}
