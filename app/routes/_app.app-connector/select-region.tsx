import { Form, Link, useNavigation } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import { regionFacts, regionNames } from "#app/copy/regions.ts";
import type { ConnectorApp } from "./queries.server.ts";

/** Step 2: where the bytes live, said honestly (spec B-079); an account that is connected already keeps its region. */
export function SelectRegion({ app }: { app: ConnectorApp }) {
  const isBusy = useNavigation().state !== "idle";
  const fixed = app.connection?.region ?? null;
  const offered = fixed ? regionFacts.filter(({ region }) => region === fixed) : regionFacts;
  return (
    <Form method="post">
      <input type="hidden" name="platform" value={app.id} />
      <h2 id="region-question">{copy.regionQuestion(app.label)}</h2>
      <p className="soft" style={{ margin: "4px 0 20px" }}>
        {copy.regionText}
      </p>
      <fieldset aria-labelledby="region-question" className="region-cards">
        {offered.map(({ region, who, stored, law, guarantee }, index) => (
          <label key={region} className="choice">
            <input type="radio" name="region" value={region} defaultChecked={index === 0} required />
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
        ))}
      </fieldset>
      <div style={{ marginTop: 20 }}>
        {fixed ? (
          <Callout>{copy.fixed(regionNames[fixed])}</Callout>
        ) : (
          <Callout tone="warn">
            <p>
              <b className="medium">{copy.keeps}</b> {copy.keepsRest}
            </p>
          </Callout>
        )}
      </div>
      <div className="form-actions">
        <Link className={buttonClass({ variant: "ghost" })} to="/app-connector">
          <ArrowLeft aria-hidden />
          {copy.back}
        </Link>
        <Button type="submit" variant="solid" size="l" className="push" isBusy={isBusy}>
          {copy.save}
        </Button>
      </div>
      <div className="next-note">
        <p className="meta">{copy.nextNote(app.label)}</p>
      </div>
    </Form>
  );
}
