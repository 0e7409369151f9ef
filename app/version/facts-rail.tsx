import type { ReactNode } from "react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { Field } from "#connectors/contract/field.ts";

/** The facts of a part, beside its text. */
export function FactsRail({ children }: { children: ReactNode }) {
  return (
    <aside className="facts-rail" aria-label={copy.facts}>
      {children}
    </aside>
  );
}

/** One fact under its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3>{name}</h3>
      {children}
    </section>
  );
}

/** More fields than this are one list, because a section for each would be longer than the text beside it. */
const MOST_SECTIONS = 4;

/** The fields of a record. Values under the same name are listed together. */
export function FieldFacts({ fields }: { fields: readonly Field[] }) {
  const byName = new Map<string, string[]>();
  for (const { name, value } of fields) byName.set(name, [...(byName.get(name) ?? []), value]);
  if (byName.size > MOST_SECTIONS)
    return (
      <Fact name={copy.details}>
        <dl>
          {[...byName].map(([name, values]) => (
            <div key={name}>
              <dt dir="auto">{visibleName(name)}</dt>
              <dd dir="auto">{values.map(visibleName).join(", ")}</dd>
            </div>
          ))}
        </dl>
      </Fact>
    );
  return [...byName].map(([name, values]) => (
    <Fact key={name} name={visibleName(name)}>
      <p dir="auto">{values.map(visibleName).join(", ")}</p>
    </Fact>
  ));
}
