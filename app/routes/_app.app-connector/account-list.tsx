import { Link } from "@remix-run/react";
import { CircleX, Clock } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import { accountFacts } from "./account-facts.ts";
import { accountPath, NEW_ACCOUNT } from "./account-path.ts";
import type { ConnectorAccount, ConnectorApp } from "./queries.server.ts";

/** Lists the connected accounts of a platform with links to their pages. The owner can add another one. */
export function AccountList({ app }: { app: ConnectorApp }) {
  return (
    <section aria-label={copy.listTitle}>
      <ul className="platform-lines">
        {app.accounts.map((account) => (
          <li key={account.id}>
            <PlatformMark platform={app.id} />
            <div>
              <h2>
                <Link to={accountPath(app.id, account.id)}>{account.name}</Link>
              </h2>
              <p className="meta">{accountFacts(app.id, account)}</p>
            </div>
            <span>
              <AccountState account={account} />
            </span>
            <Link className={buttonClass({ variant: "outline" })} to={accountPath(app.id, account.id)}>
              {copy.manage}
              <span className="sr"> {account.name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {app.isOwner ? (
        <div className="form-actions">
          <Link className={buttonClass({ variant: "outline" })} to={accountPath(app.id, NEW_ACCOUNT)}>
            {copy.add}
          </Link>
        </div>
      ) : (
        <p className="meta next-note">{copy.ownerOnly}</p>
      )}
    </section>
  );
}

function AccountState({ account: { isRevoked, isConfirmed } }: { account: ConnectorAccount }) {
  if (isRevoked) {
    return (
      <span className="badge badge-bad">
        <CircleX aria-hidden />
        {copy.reconnect}
      </span>
    );
  }
  if (isConfirmed) return null;
  return (
    <span className="badge badge-warn">
      <Clock aria-hidden />
      {copy.waitsForCode}
    </span>
  );
}
