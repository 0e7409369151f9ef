import { Link } from "@remix-run/react";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import AccountDialogs from "#app/accounts/account-dialogs.tsx";
import type { AccountNeed } from "#app/accounts/account-failure.ts";
import { InstallLink } from "#app/accounts/app-missing-dialog.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { useRestricted } from "#app/session/use-restricted.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemListPage } from "./queries.server.ts";

/** How long a platform may take until confirmed items appear in the list (spec P-212). */
const REFETCH_AFTER_MS = 10_000;

/**
 * Why nothing can be backed up: the app was deleted (spec P-439), the platform rejects our token, or the account needs
 * its code. Says what is kept, and offers a fix to users who may apply it: only the owner can reconnect (spec P-309),
 * and restricted mode has no connector (spec A-094).
 */
export default function AccountBanner({
  page,
  isLost,
  refetch,
}: {
  /** True while there is something to show. */
  isOpen: boolean;
  page: ItemListPage;
  /** The platform no longer grants access. The list reports this, and is newer than the page. */
  isLost: boolean;
  refetch: () => void;
}) {
  const { connection, label, installUrl } = page;
  const [need, setNeed] = useState<AccountNeed | null>(null);
  const refresh = useRefresh();
  const later = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(later.current), []);
  const { isOwner } = useShell().member;
  const isRestricted = useRestricted();
  const mayReconnect = isOwner && !isRestricted;
  const isAppGone = connection.lostReason === "app";
  const reconnect = mayReconnect && (
    <Link
      className={buttonClass({ variant: "outline", size: "s" })}
      to={`/app-connector?platform=${page.platform}&step=authorize${page.accounts.length > 1 ? `&account=${connection.id}` : ""}`}
    >
      {isAppGone ? copy.resume : copy.reconnect}
    </Link>
  );
  return (
    <>
      {isLost && (
        <div className="banner banner-bad" role="alert">
          <CircleAlert aria-hidden />
          <p>
            {isAppGone ? copy.appDeleted(label) : copy.tokenInvalid(label)}
            {!isOwner && ` ${copy.askOwner}`}
          </p>
          <span className="banner__acts">
            {isAppGone && mayReconnect && installUrl !== null && <InstallLink url={installUrl} />}
            {reconnect}
          </span>
        </div>
      )}
      {!isLost && !connection.isConfirmed && (
        <div className="banner" role="alert">
          <TriangleAlert aria-hidden />
          <p>{page.canManage ? copy.unconfirmed : copy.unconfirmedOther(connection.name)}</p>
          {page.canManage && (
            <span className="banner__acts">
              <Button size="s" onClick={() => setNeed({ kind: "code" })}>
                {copy.enterCode}
              </Button>
            </span>
          )}
        </div>
      )}
      <AccountDialogs
        isOpen={need !== null}
        need={need}
        onNeed={setNeed}
        onClose={() => setNeed(null)}
        account={{ platform: page.platform, connectionId: page.connection.id }}
        accountName={connection.name}
        installUrl={installUrl}
        onConfirmed={() => {
          refresh();
          later.current = setTimeout(refetch, REFETCH_AFTER_MS);
        }}
      />
    </>
  );
}
