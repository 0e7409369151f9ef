import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { canAutoAdd, setAutoAdd } from "#app/accounts/account-calls.ts";
import type { AccountNeed } from "#app/accounts/account-failure.ts";
import { InstallLink } from "#app/accounts/app-missing-dialog.tsx";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { Switch } from "#app/components/switch.tsx";
import { notify } from "#app/components/toasts.ts";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { descriptors, uis } from "#connectors/registry/descriptors.generated.ts";
import { AccessList } from "./access-list.tsx";
import { accountFacts } from "./account-facts.ts";
import { accountPath, NEW_ACCOUNT } from "./account-path.ts";
import { PeopleNote } from "./people-note.tsx";
import type { ConnectorApp } from "./queries.server.ts";
import { SeatNote } from "./seat-note.tsx";

const AccountForm = lazyDialog(() => import("./account-form.tsx"));
const ConsentChangeDialog = lazyDialog(() => import("./consent-change-dialog.tsx"));
const RemoveDialog = lazyDialog(() => import("./remove-dialog.tsx"));
const AccountDialogs = lazyDialog(() => import("#app/accounts/account-dialogs.tsx"));

/** How long a platform may take until confirmed items appear in lists (spec P-212). */
const REFETCH_AFTER_MS = 10_000;

/**
 * An account of a platform: its state, its problems, and for the owner the links to other accounts (spec P-309).
 * Without an account: a form to connect one by name.
 */
export function AccountPanel({ app }: { app: ConnectorApp }) {
  const [search] = useSearchParams();
  const { connection } = app;
  const isPending = connection !== null && !connection.isConfirmed;
  const [isForm, setIsForm] = useState(false);
  const [isRemoval, setIsRemoval] = useState(false);
  const [need, setNeed] = useState<AccountNeed | null>(null);
  const refresh = useRefresh();
  const navigate = useNavigate();
  const later = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(later.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- open what the URL asks for once, on page load
  useEffect(() => {
    const code = search.get("error_code");
    if (code === "err.app.missing") setNeed({ kind: "app", text: copy.appMissing, isWarning: false });
    else if (isPending && search.get("githubConfirmStatus") === "pending") setNeed({ kind: "code" });
  }, []);
  const many = descriptors.find(({ id }) => id === app.id)?.itemKinds[0]?.many ?? "";
  // A consent whose pages are picked at the platform is not given by name.
  const picking = uis[app.id]?.picking;
  if (connection === null && picking) return null;

  return (
    <section aria-label={copy.title}>
      {connection ? (
        <div className="account-card">
          <AccountTrouble app={app} onNeed={setNeed} />
          <div className="account-card__head">
            <div>
              <p className="account-card__name">{connection.name}</p>
              <p className="meta">{accountFacts(app.id, connection)}</p>
            </div>
            {app.isOwner && <Button onClick={() => setIsForm(true)}>{copy.change}</Button>}
          </div>
          {canAutoAdd(app.id) && <AutoAdd key={connection.name} app={app} many={many} />}
          <AccessList app={app} account={connection} />
          <PeopleNote app={app} problem={connection.peopleProblem ?? null} />
          {connection.seats && <SeatNote seats={connection.seats} />}
          {app.isOwner ? (
            <OwnersWays app={app} onRemove={() => setIsRemoval(true)} />
          ) : (
            <p className="meta account-card__note">{copy.ownerOnly}</p>
          )}
        </div>
      ) : (
        <p className="next-note">
          <button type="button" className="link" onClick={() => setIsForm(true)}>
            {copy.byName}
          </button>
        </p>
      )}
      {connection && picking && (
        <ConsentChangeDialog
          isOpen={isForm}
          onClose={() => setIsForm(false)}
          app={app}
          account={connection}
          picking={picking}
        />
      )}
      <AccountForm
        key={connection?.name}
        isOpen={isForm && !picking}
        onClose={() => setIsForm(false)}
        app={app}
        many={many}
        onNeed={(next) => {
          setIsForm(false);
          setNeed(next);
        }}
        onDone={({ id, isConfirmed }) => {
          /* With several accounts the URL names one, and a changed account has a new id. */
          if (id !== null && app.accounts.length > 1) navigate(accountPath(app.id, id));
          else refresh();
          if (!isConfirmed) setNeed({ kind: "code" });
        }}
      />
      {connection && (
        <RemoveDialog isOpen={isRemoval} onClose={() => setIsRemoval(false)} app={app} account={connection} />
      )}
      <AccountDialogs
        isOpen={need !== null}
        need={need}
        onNeed={setNeed}
        onClose={() => setNeed(null)}
        account={{ platform: app.id, connectionId: connection?.id ?? null }}
        accountName={connection?.name ?? ""}
        installUrl={app.installUrl}
        onConfirmed={() => {
          refresh();
          later.current = setTimeout(refresh, REFETCH_AFTER_MS);
        }}
      />
    </section>
  );
}

/** Links to add an account, list all accounts and remove this one. */
function OwnersWays({ app, onRemove }: { app: ConnectorApp; onRemove: () => void }) {
  const hasOthers = app.accounts.length > 1;
  return (
    <div className="account-card__line account-card__ways">
      {hasOthers ? (
        <Link className="link" to={accountPath(app.id, null)}>
          {copy.all(app.accounts.length)}
        </Link>
      ) : (
        <Link className="link" to={accountPath(app.id, NEW_ACCOUNT)}>
          {copy.add}
        </Link>
      )}
      <button type="button" className="link bad-t" onClick={onRemove}>
        {copy.remove}
      </button>
    </div>
  );
}

/** Explains why the account does not work yet, with one action to fix it. */
function AccountTrouble({ app, onNeed }: { app: ConnectorApp; onNeed: (need: AccountNeed) => void }) {
  const { connection, installUrl, label } = app;
  if (connection === null) return null;
  if (connection.lostReason === "app") {
    return (
      <Callout tone="bad" action={app.isOwner && installUrl && <InstallLink url={installUrl} />}>
        {copy.appDeleted(label)}
      </Callout>
    );
  }
  if (connection.isRevoked) return <Callout tone="bad">{copy.tokenInvalid(label)}</Callout>;
  if (connection.isConfirmed) return null;
  return (
    <Callout
      tone="warn"
      action={
        <Button size="s" onClick={() => onNeed({ kind: "code" })}>
          {copy.enterCode}
        </Button>
      }
    >
      {copy.unconfirmed}
    </Callout>
  );
}

/** Whether new items are protected automatically. Switches at once, and back when the server rejects it. */
function AutoAdd({ app, many }: { app: ConnectorApp; many: string }) {
  const [isOn, setIsOn] = useState(app.connection?.isAutoAdd ?? false);
  const account = { platform: app.id, connectionId: app.connection?.id ?? null };
  async function change(isAutoAdd: boolean) {
    setIsOn(isAutoAdd);
    try {
      await setAutoAdd(account, isAutoAdd);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setIsOn(!isAutoAdd);
      notify(cause.message, { tone: "bad" });
    }
  }
  return (
    <div className="account-card__line">
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
  );
}
