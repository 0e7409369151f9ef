import { Check } from "lucide-react";
import { connectorCopy } from "#app/copy/connector.ts";

const STEPS = [connectorCopy.steps.app, connectorCopy.steps.region, connectorCopy.steps.authorize];

/** Where one stands in the wizard; `now` counts from 0. */
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
