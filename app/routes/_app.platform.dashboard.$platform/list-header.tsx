import { Link } from "@remix-run/react";
import { CircleQuestionMark, HardDrive, Info, Plus } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { Tooltip } from "#app/components/tooltip.tsx";
import { coverageCopy } from "#app/copy/coverage.ts";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { regionNames } from "#app/copy/regions.ts";
import { roleCopy, upgradeCopy } from "#app/copy/shared.ts";
import { countdownText } from "#app/format/duration.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { roundText } from "#app/runs/round-length.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { coveragePath } from "#app/version/address.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import { type BackupNowState, backupNowState } from "./backup-now.ts";
import type { ListFrame } from "./list-frame.ts";
import type { OpenDialog } from "./open-dialog.ts";
import type { ItemListPage } from "./queries.server.ts";

type HeaderProps = Pick<ListFrame, "page" | "list" | "words" | "now" | "actions" | "onOpen"> & {
  /** Nothing is protected here yet, so nothing can be backed up. */
  isEmpty: boolean;
  /** Nothing is protected at all, and the page offers the first items. */
  isFresh: boolean;
};

/** Plan, region and quota; the title; and the actions for the whole list. */
export function ListHeader(props: HeaderProps) {
  const { page, list, words, now, onOpen, isEmpty, isFresh } = props;
  const { isOwner } = useShell().member;
  const guide = uis[page.platform]?.placeGuide;
  const consentGuide = isOwner ? uis[page.platform]?.picking?.guide : undefined;
  const planReason = page.entitlements.hasProFeatures ? null : upgradeCopy.reason;
  const round = roundText(words.descriptor, list.holdings);
  const pro = (dialog: OpenDialog) => onOpen(planReason ? { kind: "upgrade" } : dialog);
  return (
    <PageHeader
      folio={[
        planText(page, now),
        regionNames[page.connection.region],
        countsUsers(page.platform)
          ? copy.protectedItems(list.quota.used)
          : copy.used(list.quota.used, list.quota.limit),
        ...(round === null ? [] : [round]),
        ...(page.canManage ? [] : [roleCopy.folio]),
        <Link key="coverage" className="link" to={coveragePath(page.platform)}>
          {coverageCopy.title}
        </Link>,
      ]}
      mark={<PlatformMark platform={page.platform} size="l" />}
      title={
        <>
          {words.label}
          {guide && (
            <IconButton label={guide.label} onClick={() => onOpen({ kind: "place-guide" })}>
              <Info aria-hidden />
            </IconButton>
          )}
          {consentGuide && (
            <IconButton label={consentGuide.label} onClick={() => onOpen({ kind: "consent-guide" })}>
              <CircleQuestionMark aria-hidden />
            </IconButton>
          )}
        </>
      }
      actions={
        <>
          <Button
            variant="ghost"
            reason={page.canManage ? null : roleCopy.short}
            onClick={() => pro({ kind: "storage" })}
          >
            <HardDrive aria-hidden />
            {copy.storage}
          </Button>
          {words.descriptor.supports.places && (
            <Button
              variant="ghost"
              reason={page.canManage ? null : roleCopy.short}
              onClick={() => pro({ kind: "add-place" })}
            >
              <Plus aria-hidden />
              {copy.addPlace}
            </Button>
          )}
          {!isEmpty && <BackupNowButton {...props} />}
          {!isFresh && <AddItemsButton {...props} />}
        </>
      }
    />
  );
}

/** The two main actions, at the bottom of the screen on phones. */
export function PhoneActions(props: HeaderProps) {
  return (
    <div className="action-bar phone-only">
      {!props.isEmpty && <BackupNowButton {...props} isLarge />}
      <AddItemsButton {...props} isLarge />
    </div>
  );
}

function BackupNowButton({ page, list, now, actions, onOpen, isLarge }: HeaderProps & { isLarge?: boolean }) {
  const state = backupNowState(
    {
      canManage: page.canManage,
      hasProFeatures: page.entitlements.hasProFeatures,
      canUserBackup: list.canUserBackup,
      isTokenValid: list.isTokenValid,
      opensAt: list.backupNowOpensAt,
    },
    now,
    { role: roleCopy.short, reconnect: copy.reconnectFirst, again: isLarge ? (left) => left : copy.again },
  );
  const button = (
    <Button
      size={isLarge ? "l" : "m"}
      isBusy={actions.isBackingUpAll}
      reason={state.kind === "off" ? state.reason : null}
      onClick={() => (state.kind === "upgrade" ? onOpen({ kind: "upgrade" }) : actions.backUpAll())}
    >
      {copy.backupNow}
    </Button>
  );
  const countdown = countdownOf(state, list.backupNowOpensAt, now);
  return countdown === null ? button : <Tooltip content={countdown}>{button}</Tooltip>;
}

/** Adds items. Only the owner adds an item that needs another consent (spec P-302). */
function AddItemsButton({ page, list, words, onOpen, isLarge }: HeaderProps & { isLarge?: boolean }) {
  const { isOwner } = useShell().member;
  const { itemPerConsent } = words.descriptor.supports;
  if (itemPerConsent && !isOwner) return null;
  const reason = !page.canManage ? roleCopy.short : !list.isTokenValid ? copy.reconnectFirst : null;
  return (
    <Button
      variant="solid"
      size={isLarge ? "l" : "m"}
      reason={reason}
      onClick={() => onOpen({ kind: "add-items" })}
    >
      {copy.addItems(itemPerConsent ? words.one : words.many)}
    </Button>
  );
}

/** The countdown for the tooltip (spec P-214), if it is the reason that the button is disabled. */
function countdownOf(state: BackupNowState, opensAt: number | null, now: number): string | null {
  if (state.kind !== "off" || opensAt === null || opensAt <= now) return null;
  return copy.againTooltip(countdownText(opensAt, now));
}

function planText({ entitlements: { plan, endsAt } }: ItemListPage, now: number): string {
  if (plan !== "trial" || endsAt === null) return copy.plans[plan];
  return copy.trialLeft(Math.max(0, Math.ceil((endsAt - now) / 86_400_000)));
}
