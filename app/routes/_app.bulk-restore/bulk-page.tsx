import { Link, useNavigate } from "@remix-run/react";
import { ArrowLeft, ArrowUpRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { useRequest } from "#app/api/use-request.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { bulkRequest, bulkRules, continueReason, type NameRules } from "#app/bulk/bulk-rules.ts";
import { type BulkOrder, clearBulkOrder, storeBulkOrder } from "#app/bulk/bulk-storage.ts";
import { lazyDialog } from "#app/components/dialog.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { notify } from "#app/components/toasts.ts";
import { UpgradeDialog } from "#app/components/upgrade-dialog.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { capitalised } from "#app/format/counts.ts";
import { answersOnWire } from "#app/restore/answers-on-wire.ts";
import { RestoreFailure } from "#app/restore/restore-failure.tsx";
import { chosenPlace, emailsFault, restoreRules } from "#app/restore/restore-form.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { BulkSteps } from "./bulk-steps.tsx";
import { sendRestores } from "./calls.ts";
import { CheckStep } from "./check-step.tsx";
import { ChooseStep } from "./choose-step.tsx";
import type { BulkRights } from "./queries.server.ts";
import { useBulkAnswers } from "./use-bulk-answers.ts";
import { type BulkState, useBulkOrder } from "./use-bulk-order.ts";

const AddDialog = lazyDialog(() => import("./add-dialog.tsx"), "m");
const TargetDialog = lazyDialog(() => import("./target-dialog.tsx"), "m");

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
  const state = useBulkOrder(order, kind);
  const [step, setStep] = useState<0 | 1>(0);
  const [dialog, setDialog] = useState<"add" | "upgrade" | "target" | null>(null);
  const [targeted, setTargeted] = useState<BulkItem | null>(null);
  const rules = bulkRules(descriptor, kind);
  const { isIntoExisting } = rules;
  const checks = useChecks({ order, descriptor, kind, rules, state, rights, isShown: step === 1 });

  /* Store changes, so that they survive a reload. */
  useEffect(() => storeBulkOrder(localStorage, { ...order, items: [...state.items] }), [order, state.items]);

  const { isSending, refusal, send } = useSending();
  function restore() {
    if (state.items.length > 1 && !rights.hasProFeatures) return setDialog("upgrade");
    const { place, emails, answers } = checks;
    const answersOf = (id: string) =>
      answersOnWire({ platform, kind: kind.id }, answers.questionsOf(id), answers.answersOf(id));
    send(() =>
      sendRestores(platform, kind.id, bulkRequest(state.items, { place, emails, answersOf, rules })),
    );
  }

  const close = () => setDialog(null);
  const onTarget = (item: BulkItem) => {
    setTargeted(item);
    setDialog("target");
  };
  const shared = { kind, rules, timeZone, now, onTarget };
  return (
    <div className="bulk">
      <BulkHeader {...{ order, descriptor, kind, isIntoExisting }} />
      <BulkSteps now={step} />
      {refusal && (
        <div className="bulk__note">
          <RestoreFailure platform={platform} text={refusal} />
        </div>
      )}
      {step === 0 ? (
        <ChooseStep
          {...shared}
          state={state}
          hasProFeatures={rights.hasProFeatures}
          nextReason={checks.nextReason}
          cancelTo={listPath(order, kind)}
          onAdd={() => setDialog(rights.hasProFeatures || state.items.length === 0 ? "add" : "upgrade")}
          onNext={() => setStep(1)}
        />
      ) : (
        <CheckStep
          {...shared}
          {...checks}
          items={state.items}
          label={descriptor.label}
          platform={platform}
          isSending={isSending}
          onBack={() => setStep(0)}
          onRestore={restore}
          onRemove={state.remove}
        />
      )}
      <AddDialog
        isOpen={dialog === "add"}
        onClose={close}
        account={order}
        kind={kind}
        placeId={order.place?.id ?? null}
        listed={state.items}
        most={rights.hasProFeatures ? undefined : 1}
        onAdd={(items) => state.add(items, rules)}
      />
      {isIntoExisting && (
        <TargetDialog
          isOpen={dialog === "target"}
          onClose={close}
          item={targeted}
          kind={kind}
          onChoose={(change) => targeted !== null && state.change(targeted.id, change)}
        />
      )}
      <UpgradeDialog isOpen={dialog === "upgrade"} onClose={close} platform={platform} />
    </div>
  );
}

/** What the second step asks for, and what keeps the order from being sent. */
function useChecks({
  order,
  descriptor,
  kind,
  rules,
  state,
  rights,
  isShown,
}: {
  order: BulkOrder;
  descriptor: PlatformDescriptor;
  kind: ItemKind;
  rules: NameRules;
  state: BulkState;
  rights: BulkRights;
  isShown: boolean;
}) {
  const [placeId, setPlaceId] = useState<string | null>(order.place?.id ?? null);
  const [emails, setEmails] = useState("");
  const { isIntoExisting } = rules;
  const { offersPlace, needsPlace } = restoreRules(descriptor, kind.id, state.places);
  const hasPlace = offersPlace && !isIntoExisting;
  const place = hasPlace ? chosenPlace(state.places, placeId, { offersPlace, needsPlace }) : null;
  const answers = useBulkAnswers(state.items, {
    isShown,
    isIntoExisting,
    placeId: place?.externalId ?? null,
  });
  const emailFault = emailsFault(emails);
  const nextReason = continueReason(state.items, state.points, rules);
  const sendReason = sendReasonOf({
    canManage: rights.canManage,
    isBusy: state.items.some(({ id }) => state.busy.has(id)),
    lacksPlace: hasPlace && needsPlace && !place,
    hasEmailFault: emailFault !== null,
  });
  return {
    answers,
    places: hasPlace ? state.places : [],
    isPlaceChosenAtFirst: !needsPlace,
    place,
    onPlace: setPlaceId,
    emails,
    emailFault,
    onEmails: setEmails,
    nextReason,
    reason: sendReason ?? nextReason ?? answers.reason,
  };
}

/** Why the order cannot be sent, whatever its items are; null = it can. */
function sendReasonOf(order: {
  canManage: boolean;
  isBusy: boolean;
  lacksPlace: boolean;
  hasEmailFault: boolean;
}): string | null {
  const { reasons } = copy;
  if (!order.canManage) return reasons.forbidden;
  if (order.isBusy) return reasons.busy;
  if (order.lacksPlace) return reasons.place;
  return order.hasEmailFault ? reasons.emails : null;
}

/** Sends the order, and leaves for the first page when it was accepted. */
function useSending() {
  const navigate = useNavigate();
  const { isBusy, isDone, refusal, send } = useRequest();
  async function leave(request: () => Promise<unknown>) {
    if (!(await send(request))) return;
    clearBulkOrder(localStorage);
    notify(copy.started);
    navigate("/");
  }
  const isSending = isBusy || isDone;
  return { isSending, refusal, send: (request: () => Promise<unknown>) => void leave(request) };
}

function BulkHeader({
  order,
  descriptor,
  kind,
  isIntoExisting,
}: {
  order: BulkOrder;
  descriptor: PlatformDescriptor;
  kind: ItemKind;
  isIntoExisting: boolean;
}) {
  return (
    <>
      <div className="row between">
        <Link className="back-link" to={listPath(order, kind)}>
          <ArrowLeft className="icon-s" aria-hidden />
          {copy.back(capitalised(kind.many))}
        </Link>
        <a className="back-link" href={descriptor.homeUrl} target="_blank" rel="noreferrer">
          {copy.visit(descriptor.label)}
          <ArrowUpRight className="icon-s" aria-hidden />
        </a>
      </div>
      <PageHeader
        folio={[descriptor.label, (isIntoExisting ? copy.folioExisting : copy.folio)(kind.many)]}
        mark={<PlatformMark platform={descriptor.id} size="l" />}
        title={copy.title}
      />
    </>
  );
}

function listPath({ platform, connectionId }: CalledAccount, kind: ItemKind): string {
  const query = new URLSearchParams({
    ...(connectionId ? { account: connectionId } : {}),
    ...(kind.isSub ? { kind: kind.id } : {}),
  }).toString();
  return `/platform/dashboard/${platform}${query === "" ? "" : `?${query}`}`;
}
