import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.people;

/**
 * Says that names of closed accounts stay in the backups, because the platform did not get the report of whose names they hold, and
 * which access changes that.
 */
export function PeopleNote({
  app: { id, label, isOwner },
  problem,
}: {
  app: Pick<ConnectorApp, "id" | "label" | "isOwner">;
  /** Null = the report was made, or the platform wants none. */
  problem: string | null;
}) {
  if (problem === null) return null;
  const [method] = descriptors.find((each) => each.id === id)?.authMethods ?? [];
  return (
    <section className="account-card__note stack" aria-label={copy.title}>
      <h2 className="field__label">{copy.title}</h2>
      <Callout tone="warn">
        {copy.unreported(label)} {problem} {isOwner ? method && copy.act(method.label) : copy.askOwner}
      </Callout>
    </section>
  );
}
