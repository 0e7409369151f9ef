import { Link, useSearchParams } from "@remix-run/react";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { notify } from "#app/components/toasts.ts";
import { subscriptionsCopy as copy } from "#app/copy/subscriptions.ts";
import { useLeaveFor } from "#app/embedding/use-leave-for.ts";
import { dateText } from "#app/format/dates.ts";
import type { Account, Statuses } from "#app/money/billing-queries.ts";
import { mayShowCardForm } from "#app/money/card-page.ts";
import { canCancel } from "#app/money/status-words.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { CancelAllDialog, CancelDialog, EndDialog } from "./cancel-dialogs.tsx";
import { MoneyFacts } from "./money-facts.tsx";
import { SubscriptionLine } from "./subscription-line.tsx";
import { rowsOf, type SubscriptionRow, withGranted } from "./subscription-texts.ts";
import { useMoneyChange } from "./use-money-change.ts";

const CardDialog = lazyDialog(() => import("./card-dialog.tsx"));
const InvoiceDialog = lazyDialog(() => import("./invoice-dialog.tsx"));
const ErrorDialog = lazyDialog(() => import("#app/components/error-dialog.tsx"));

type Opened = { kind: "cancel" | "end" | "invoice"; row: SubscriptionRow } | { kind: "all" } | null;

/** A line an app, the worst first; the card and the next invoice above (spec B-051 to B-068). */
export function SubscriptionsPage({ statuses, account }: { statuses: Statuses; account: Account }) {
  const { member, now, platforms } = useShell();
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Opened>(null);
  const portal = useLeaveFor();
  const keeping = useMoneyChange();
  const [busy, setBusy] = useState<string | null>(null);
  const rows = rowsOf(withGranted(statuses, platforms));
  const day = (at: number) => dateText(at, member.timeZone, now);
  const close = () => setOpened(null);
  const isOf = (kind: "cancel" | "end" | "invoice") => (opened?.kind === kind ? opened.row : null);
  const [cancelled, ended, invoiced] = [isOf("cancel"), isOf("end"), isOf("invoice")];

  /** The dialog is in the URL, because a page without the card form's policy loads itself again. */
  function changeCard() {
    if (mayShowCardForm()) setSearch({ card: "change" });
    else window.location.assign("/subscriptions?card=change");
  }
  async function keep(row: SubscriptionRow) {
    setBusy(row.platform);
    const isDone = await keeping.send(() =>
      callApi("POST payments/stripe-resume-subscription", { platform: row.platform }, { isQuiet: true }),
    );
    setBusy(null);
    if (!isDone) return;
    keeping.show(row.platform, { isCancel: false });
    keeping.refreshLater();
    notify(copy.cancel.goesOn(row.label));
  }
  const openPortal = () =>
    portal.leave(async () => {
      const { result } = await callApi("POST payments/stripe-create-portal-session", {}, { isQuiet: true });
      return result.url;
    });
  const failure = keeping.failure ?? portal.failure;
  return (
    <>
      <PageHeader
        folio={[...(account.company?.name ? [account.company.name] : []), copy.folio]}
        title={copy.title}
        keepActions
        actions={
          <>
            <Button variant="ghost" isBusy={portal.isBusy} onClick={openPortal}>
              {copy.portal}
              <ArrowUpRight className="icon-s" aria-hidden />
            </Button>
            <Link className={buttonClass()} to="/payment-history">
              {copy.history}
            </Link>
          </>
        }
      />
      <MoneyFacts rows={rows} account={account} day={day} onChangeCard={changeCard} />
      {rows.length === 0 ? (
        <div className="note-page">
          <p>{copy.none}</p>
          <Link className={buttonClass({ variant: "solid" })} to="/app-connector">
            {copy.connect}
          </Link>
        </div>
      ) : (
        <>
          <div className="section-head">
            <h2>{copy.apps}</h2>
            <Button
              size="s"
              variant="ghost"
              reason={
                rows.some(({ subscription }) => subscription.id !== null && canCancel(subscription))
                  ? null
                  : copy.all.nothing
              }
              onClick={() => setOpened({ kind: "all" })}
            >
              {copy.cancelAll}
            </Button>
          </div>
          <div className="subs">
            {rows.map((row) => (
              <SubscriptionLine
                key={row.platform}
                row={row}
                day={day}
                actions={{
                  cancel: () => setOpened({ kind: "cancel", row }),
                  end: () => setOpened({ kind: "end", row }),
                  showInvoice: () => setOpened({ kind: "invoice", row }),
                  keep: () => void keep(row),
                  changeCard,
                  busy,
                }}
              />
            ))}
          </div>
          <p className="meta subs-note">{copy.footnote}</p>
        </>
      )}
      {cancelled && <CancelDialog isOpen onClose={close} row={cancelled} day={day} />}
      {ended && <EndDialog isOpen onClose={close} row={ended} day={day} />}
      {opened?.kind === "all" && <CancelAllDialog isOpen onClose={close} rows={rows} day={day} />}
      {invoiced?.subscription.id && (
        <InvoiceDialog isOpen onClose={close} id={invoiced.subscription.id} day={day} />
      )}
      {search.get("card") === "change" && account.publishableKey !== "" && (
        <CardDialog isOpen onClose={() => setSearch({})} account={account} rows={rows} />
      )}
      <ErrorDialog
        isOpen={failure !== null}
        onClose={() => {
          keeping.refuse(null);
          portal.refuse(null);
        }}
        failure={failure && { text: failure.message, code: failure.code }}
      />
    </>
  );
}
