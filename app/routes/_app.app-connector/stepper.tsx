import { Check } from "lucide-react";
import { connectorCopy } from "#app/copy/connector.ts";

const STEPS = [connectorCopy.steps.app, connectorCopy.steps.region, connectorCopy.steps.authorize];

/** The steps of the wizard. `now` is the current step, from 0. */
export function Stepper({ now }: { now: number }) {
  return (
    <ol className="stepper">
      {STEPS.map((word, index) => {
        if (index < now) {
          return (
            <li key={word} className="is-done">
              <Check className="ok-t" aria-hidden />
              {word}
            </li>
          );
        }
        return (
          <li
            key={word}
            className={index === now ? "is-now" : undefined}
            aria-current={index === now ? "step" : undefined}
          >
            <span className="n">{index + 1}</span>
            {word}
          </li>
        );
      })}
    </ol>
  );
}
