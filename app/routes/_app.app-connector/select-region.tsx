import { Link, useNavigate } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { type FormEvent, useState } from "react";
import { saveRegion } from "#app/accounts/account-calls.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { notify } from "#app/components/toasts.ts";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import { regionFacts, regionNames } from "#app/copy/regions.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { accountIn, accountPath } from "./account-path.ts";
import type { ConnectorApp } from "./queries.server.ts";

const MoveDialog = lazyDialog(() => import("./move-dialog.tsx"));

/**
 * Step 2: select where the data is stored, with honest facts (spec B-079, B-192 to B-195). Changing the region of a
 * connected account starts over, so a warning comes first. Accounts that have started may keep their region.
 */
export function SelectRegion({ app }: { app: ConnectorApp }) {
  const [region, setRegion] = useState(app.region);
  const [isMoving, setIsMoving] = useState(false);
  const { isBusy, refusal, send } = useRequest();
  const navigate = useNavigate();
  const { connection } = app;
  const account = accountIn(app);
  const isOneOfSeveral = account !== null;
  const next = accountPath(app.id, account, { step: "authorize" });
  const isMove = connection !== null && region !== connection.region;

  async function save() {
    // The region of an added account is sent with its consent; the platform's saved region stays.
    if (app.isAdding) return navigate(accountPath(app.id, account, { step: "authorize", region }));
    await send(async () => {
      const target = { platform: app.id, connectionId: connection?.id ?? null };
      const living = await saveRegion(target, region);
      if (isMove) notify(copy.moved(regionNames[region]));
      // The next step loads the saved data. Its navigation would abort a revalidation here.
      navigate(accountPath(app.id, isOneOfSeveral ? living : null, { step: "authorize" }));
    });
    setIsMoving(false);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMove) setIsMoving(true);
    else void save();
  };

  return (
    <form method="post" onSubmit={submit}>
      <h2 id="region-question">{isOneOfSeveral ? copy.regionOfAccount : copy.regionQuestion(app.label)}</h2>
      <p className="soft" style={{ margin: "4px 0 20px" }}>
        {isOneOfSeveral ? copy.regionTextOfAccount : copy.regionText}
      </p>
      <fieldset aria-labelledby="region-question" className="region-cards">
        {regionFacts.map((facts) => (
          <RegionCard
            key={facts.region}
            facts={facts}
            isChosen={region === facts.region}
            onChoose={() => setRegion(facts.region)}
          />
        ))}
      </fieldset>
      <div className="stack" style={{ marginTop: 20 }}>
        {refusal && <Callout tone="bad">{refusal}</Callout>}
        <Callout tone="warn">
          <p>
            <b className="medium">{copy.keeps}</b> {copy.keepsRest}
          </p>
        </Callout>
      </div>
      <div className="form-actions">
        <Link
          className={buttonClass({ variant: "ghost" })}
          to={account === null ? "/app-connector" : accountPath(app.id, null)}
        >
          <ArrowLeft aria-hidden />
          {copy.back}
        </Link>
        <span className="push" />
        {app.hasStarted && !app.isAdding && (
          <Link className={buttonClass({ variant: "ghost", size: "l" })} to={next}>
            {copy.skip}
          </Link>
        )}
        <Button type="submit" variant="solid" size="l" isBusy={isBusy && !isMoving}>
          {copy.save}
        </Button>
      </div>
      <div className="next-note">
        <p className="meta">{copy.nextNote(app.label)}</p>
      </div>
      {connection && (
        <MoveDialog
          isOpen={isMoving}
          onClose={() => setIsMoving(false)}
          name={connection.name}
          region={region}
          isBusy={isBusy}
          onMove={() => void save()}
        />
      )}
    </form>
  );
}

function RegionCard({
  facts: { region, who, stored, law, guarantee },
  isChosen,
  onChoose,
}: {
  facts: (typeof regionFacts)[number];
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="choice">
      <input
        type="radio"
        name="region"
        value={region satisfies Region}
        checked={isChosen}
        onChange={onChoose}
        required
      />
      <span className="choice__head">
        <span className="code">{region}</span>
        <span className="choice__name">{regionNames[region]}</span>
        <span className="radio" />
      </span>
      <span className="soft">{who}</span>
      <span className="choice__facts">
        <span>{copy.stored}</span>
        <span>{stored}</span>
        {law !== null && (
          <>
            <span>{copy.law}</span>
            <span>{law}</span>
          </>
        )}
        <span>{copy.guarantee}</span>
        <span>
          {guarantee.word && <b className="medium">{guarantee.word}</b>}
          {guarantee.rest}
        </span>
      </span>
    </label>
  );
}
