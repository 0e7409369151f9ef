import { Link, useNavigate } from "@remix-run/react";
import { type FormEvent, useId, useState } from "react";
import { chooseAccounts } from "#app/accounts/account-calls.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { connectorCopy } from "#app/copy/connector.ts";
import { regionNames } from "#app/copy/regions.ts";
import type { ConnectorApp, ConnectorChoice } from "./queries.server.ts";
import { Stepper } from "./stepper.tsx";

const copy = connectorCopy.choose;

/** Selects which accounts of a consent to connect. */
export function ChooseAccounts({ app, choice }: { app: ConnectorApp; choice: ConnectorChoice }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { isBusy: isPending, isDone, refusal, send } = useRequest();
  const isBusy = isPending || isDone;
  const navigate = useNavigate();
  const { candidates, isOne } = choice;

  const connect = () =>
    send(async () => {
      const connected = await chooseAccounts(app.id, choice.id, [...chosen]);
      const list = `/platform/dashboard/${app.id}`;
      const [first] = connected;
      navigate(first && app.accounts.length + connected.length > 1 ? `${list}?account=${first}` : list);
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.size > 0 && !isBusy) void connect();
  };
  const toggle = (id: string) => setChosen(isOne ? new Set([id]) : toggled(chosen, id));

  return (
    <div className="form-col">
      <PageHeader
        folio={[app.label]}
        title={copy.title(app.label)}
        mark={<PlatformMark platform={app.id} size="l" />}
      />
      <Stepper now={2} />
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <form method="post" onSubmit={submit}>
        <h2 id="choose-question">{isOne ? copy.one : copy.question}</h2>
        <p className="soft" style={{ margin: "4px 0 20px" }}>
          {copy.text(regionNames[app.region])}
        </p>
        <fieldset className="item-picker" aria-labelledby="choose-question">
          <ul>
            {candidates.map((candidate) => (
              <Candidate
                key={candidate.externalId}
                candidate={candidate}
                isOne={isOne}
                isChosen={chosen.has(candidate.externalId)}
                onToggle={() => toggle(candidate.externalId)}
              />
            ))}
          </ul>
        </fieldset>
        <div className="form-actions">
          <Link className={buttonClass({ variant: "ghost" })} to={`?platform=${app.id}`}>
            {copy.later}
          </Link>
          <span className="push" />
          <Button
            type="submit"
            variant="solid"
            size="l"
            isBusy={isBusy}
            reason={chosen.size === 0 ? copy.first : null}
          >
            {copy.connect(chosen.size)}
          </Button>
        </div>
      </form>
    </div>
  );
}

function Candidate({
  candidate: { name, note, isConnected },
  isOne,
  isChosen,
  onToggle,
}: {
  candidate: ConnectorChoice["candidates"][number];
  isOne: boolean;
  isChosen: boolean;
  onToggle: () => void;
}) {
  const id = useId();
  return (
    <li>
      {isOne ? (
        <input type="radio" id={id} name="account" checked={isChosen} onChange={onToggle} />
      ) : (
        <Checkbox id={id} checked={isChosen} onCheckedChange={onToggle} />
      )}
      <label htmlFor={id} className="item-picker__name">
        <span className="medium clip">{name}</span>
        {note && <span className="meta clip">{note}</span>}
      </label>
      <span className="meta">{isConnected ? copy.renews : ""}</span>
    </li>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
