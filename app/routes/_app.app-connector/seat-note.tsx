import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { dateText } from "#app/format/dates.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ConnectorAccount } from "./queries.server.ts";

const copy = accountCopy.users;

/** The users of the account that its plan counts, and why a newer number could not be read. */
export function SeatNote({ seats }: { seats: NonNullable<ConnectorAccount["seats"]> }) {
  const {
    member: { timeZone },
    now,
  } = useShell();
  const { count, readAt, problem } = seats;
  return (
    <section className="account-card__note stack" aria-label={copy.title}>
      <h2 className="field__label">{copy.title}</h2>
      <p>
        {count === null || readAt === null ? copy.unknown : copy.read(count, dateText(readAt, timeZone, now))}
      </p>
      <p className="meta">{copy.follows}</p>
      {problem !== null && (
        <Callout tone="warn">
          {count === null ? copy.never : copy.kept} {problem}
        </Callout>
      )}
    </section>
  );
}
