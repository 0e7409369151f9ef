import { Link, useNavigate } from "@remix-run/react";
import { ArrowLeft, ArrowUpRight } from "lucide-react";
import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { bulkRequest, bulkRules, continueReason } from "#app/bulk/bulk-rules.ts";
import { type BulkOrder, clearBulkOrder, storeBulkOrder } from "#app/bulk/bulk-storage.ts";
import { Callout } from "#app/components/callout.tsx";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { notify } from "#app/components/toasts.ts";
import { UpgradeDialog } from "#app/components/upgrade-dialog.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { capitalised } from "#app/format/counts.ts";
import { chosenPlace, emailsFault, restoreRules } from "#app/restore/restore-form.ts";
import { useRestoreTargets } from "#app/restore/use-restore-targets.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { BulkSteps } from "./bulk-steps.tsx";
import { sendRestores } from "./calls.ts";
import { CheckStep } from "./check-step.tsx";
import { ChooseStep } from "./choose-step.tsx";
import type { BulkRights } from "./queries.server.ts";
import { useBulkAnswers } from "./use-bulk-answers.ts";
import { useBulkOrder } from "./use-bulk-order.ts";

const AddDialog = lazyWhenOpen(() => import("./add-dialog.tsx"));

/**
 * Restores several items at once, each into a new one: select versions and names, then check (spec part 2 section 2).
 */
export function BulkPage({
  order,
  descriptor,
  kind,
  rights,
  now,
}: {
  order: BulkOrder;
  descriptor: PlatformDescriptor;
  kind: ItemKind;
  rights: BulkRights;
  now: number;
}) {
  const { platform } = order;
  const { timeZone } = useShell().member;
  const navigate = useNavigate();
  const state = useBulkOrder(order, kind);
  const [step, setStep] = useState<0 | 1>(0);
  const [dialog, setDialog] = useState<"add" | "upgrade" | null>(null);
  const [placeId, setPlaceId] = useState<string | null>(order.place?.id ?? null);
  const [emails, setEmails] = useState("");
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const rules = bulkRules(descriptor, kind);
  const { isIntoExisting } = rules;
  // All items of an account have the same targets.
  const targets = useRestoreTargets(isIntoExisting ? (state.items[0]?.id ?? null) : null);
  const { offersPlace, needsPlace } = restoreRules(descriptor, kind.id, state.places);
  const hasPlace = offersPlace && !isIntoExisting;
  const place = hasPlace ? chosenPlace(state.places, placeId, { offersPlace, needsPlace }) : null;
  const many = capitalised(kind.many);
  const isBusy = state.items.some(({ id }) => state.busy.has(id));
  const answers = useBulkAnswers(state.items, {
    isShown: step === 1,
    isIntoExisting,
    placeId: place?.externalId ?? null,
  });
  const emailFault = emailsFault(emails);
  const { reasons } = copy;
  const nextReason = continueReason(state.items, state.points, rules);
  const sendReason = !rights.canManage
    ? reasons.forbidden
    : isBusy
      ? reasons.busy
      : hasPlace && needsPlace && !place
        ? reasons.place
        : emailFault
          ? reasons.emails
          : (nextReason ?? answers.reason);

  /* Store changes, so that they survive a reload. */
  useEffect(() => storeBulkOrder(localStorage, { ...order, items: [...state.items] }), [order, state.items]);

  async function restore() {
    if (state.items.length > 1 && !rights.hasProFeatures) return setDialog("upgrade");
    setIsSending(true);
    setRefusal(null);
    try {
      const { answersOf } = answers;
      const request = bulkRequest(state.items, { place, emails, answersOf, rules });
      await sendRestores(platform, kind.id, request);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setRefusal(cause.message);
      setIsSending(false);
      return;
    }
    clearBulkOrder(localStorage);
    notify(copy.started);
    navigate("/");
  }

  return (
    <div className="bulk">
      <div className="row between">
        <Link className="back-link" to={listPath(order, kind)}>
          <ArrowLeft className="icon-s" aria-hidden />
          {copy.back(many)}
        </Link>
        <a className="back-link" href={descriptor.homeUrl} target="_blank" rel="noreferrer">
          {copy.visit(descriptor.label)}
          <ArrowUpRight className="icon-s" aria-hidden />
        </a>
      </div>
      <PageHeader
        folio={[descriptor.label, (isIntoExisting ? copy.folioExisting : copy.folio)(kind.many)]}
        mark={<PlatformMark platform={platform} size="l" />}
        title={copy.title}
      />
      <BulkSteps now={step} />
      {refusal && (
        <div className="bulk__note">
          <Callout tone="bad">{refusal}</Callout>
        </div>
      )}
      {step === 0 ? (
        <ChooseStep
          state={state}
          kind={kind}
          rules={rules}
          targets={targets}
          timeZone={timeZone}
          now={now}
          hasProFeatures={rights.hasProFeatures}
          nextReason={nextReason}
          cancelTo={listPath(order, kind)}
          onAdd={() => setDialog(rights.hasProFeatures || state.items.length === 0 ? "add" : "upgrade")}
          onNext={() => setStep(1)}
        />
      ) : (
        <CheckStep
          items={state.items}
          kind={kind}
          label={descriptor.label}
          answers={answers}
          rules={rules}
          timeZone={timeZone}
          now={now}
          platform={platform}
          places={hasPlace ? state.places : []}
          isPlaceChosenAtFirst={!needsPlace}
          place={place}
          onPlace={setPlaceId}
          emails={emails}
          emailFault={emailFault}
          onEmails={setEmails}
          isSending={isSending}
          reason={sendReason}
          onBack={() => setStep(0)}
          onRestore={() => void restore()}
        />
      )}
      <AddDialog
        isOpen={dialog === "add"}
        onClose={() => setDialog(null)}
        account={order}
        kind={kind}
        placeId={order.place?.id ?? null}
        listed={state.items}
        most={rights.hasProFeatures ? undefined : 1}
        onAdd={(items) => state.add(items, rules)}
      />
      <UpgradeDialog isOpen={dialog === "upgrade"} onClose={() => setDialog(null)} />
    </div>
  );
}

function listPath({ platform, connectionId }: CalledAccount, kind: ItemKind): string {
  const query = new URLSearchParams({
    ...(connectionId ? { account: connectionId } : {}),
    ...(kind.isSub ? { kind: kind.id } : {}),
  }).toString();
  return `/platform/dashboard/${platform}${query === "" ? "" : `?${query}`}`;
}
