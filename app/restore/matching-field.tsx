import { ArrowRight, ChevronDown, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { restoreCopy } from "#app/copy/restore.ts";
import { capitalised } from "#app/format/counts.ts";
import type { MatchedThing, RestoreQuestion } from "#connectors/contract/restore-question.ts";

const copy = restoreCopy.matching;

type Matching = Extract<RestoreQuestion, { type: "matching" }>;
/** Ids on the right by ids on the left. A missing id is undecided; null = not matched on purpose. */
type Matches = Readonly<Record<string, string | null>>;

/** Matches each entity of the version with one of the target. `onMatch` receives only changes to the proposal. */
export function MatchingField({
  question,
  matches,
  onMatch,
}: {
  question: Matching;
  matches: Matches;
  onMatch: (matches: Matches) => void;
}) {
  const id = useId();
  const { label, help, left, things, counted } = question;
  const change = (next: Matches) => onMatch(unlikeProposed(next, question));
  const matched = left.filter((thing) => stateOf(matches, thing) === "matched");
  const open = left.filter((thing) => stateOf(matches, thing) === "open");
  const isSomeLeft = left.some((thing) => stateOf(matches, thing) === "none");
  const hasDuty = question.isRequired && (open.length > 0 || isSomeLeft);
  return (
    <section className="matching" aria-labelledby={id}>
      <div className="row between">
        <h3 id={id} className="field__label">
          {label}
        </h3>
        <span className="meta" role="status">
          {copy.matched(matched.length, left.length)}
          {counted && `, ${copy.counted(sumOf(matched), sumOf(left), counted)}`}
        </span>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{copy.before}</th>
            {counted && (
              <th scope="col" className="matching__count">
                {capitalised(counted.many)}
              </th>
            )}
            <th scope="col">{copy.after}</th>
          </tr>
        </thead>
        <tbody>
          {left.map((thing) => (
            <MatchingRow
              key={thing.id}
              question={question}
              thing={thing}
              matches={matches}
              onChoose={(value) => change({ ...matches, [thing.id]: value })}
            />
          ))}
        </tbody>
      </table>
      {counted && open.length > 0 && (
        <p className="field__hint">{copy.openCount(sumOf(open), counted, things)}</p>
      )}
      {help !== "" && <p className="field__hint">{help}</p>}
      {hasDuty && (
        <label className="choice-line" htmlFor={`${id}-leave`}>
          <Checkbox
            id={`${id}-leave`}
            checked={isSomeLeft}
            onCheckedChange={(isLeft) => change(isLeft ? leaveOut(matches, open) : takeBack(matches))}
          />
          <span>{copy.leave(things)}</span>
        </label>
      )}
    </section>
  );
}

function MatchingRow({
  question: { right, things, counted, suggested, default: proposed },
  thing: { id, label, note, count },
  matches,
  onChoose,
}: {
  question: Matching;
  thing: Matching["left"][number];
  matches: Matches;
  onChoose: (value: string | null) => void;
}) {
  const whyId = useId();
  const state = stateOf(matches, { id });
  const chosen = right.find((one) => one.id === matches[id]);
  const isGuess = suggested.includes(id) && chosen !== undefined && proposed[id] === chosen.id;
  const why = isGuess ? copy.suggested : chosen?.label === label ? copy.same : "";
  return (
    <tr className={state === "open" ? "is-open" : undefined}>
      <th scope="row">
        <span dir="auto">{label}</span>
        {note !== undefined && <span className="meta">{note}</span>}
      </th>
      {counted && <td className="matching__count mono-meta">{copy.count(count ?? 0)}</td>}
      <td>
        <ArrowRight className="icon-s" aria-hidden />
        <span className="text-field select-field">
          <select
            aria-label={copy.of(label)}
            aria-describedby={whyId}
            value={chosen?.id ?? ""}
            onChange={({ target }) => onChoose(target.value === "" ? null : target.value)}
          >
            {state === "open" && <option value="">{copy.choose(things)}</option>}
            {state !== "open" && <option value="">{copy.none}</option>}
            {right.map((one) => (
              <option key={one.id} value={one.id}>
                {one.note === undefined ? one.label : `${one.label} (${one.note})`}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden />
        </span>
        <span className="matching__why" id={whyId}>
          {state === "open" ? (
            <>
              <TriangleAlert className="icon-s" aria-hidden />
              {copy.noMatch}
            </>
          ) : (
            why
          )}
        </span>
      </td>
    </tr>
  );
}

function sumOf(things: Matching["left"]): number {
  return things.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

function stateOf(matches: Matches, { id }: Pick<MatchedThing, "id">): "open" | "none" | "matched" {
  if (!Object.hasOwn(matches, id)) return "open";
  return matches[id] === null ? "none" : "matched";
}

function unlikeProposed(matches: Matches, { default: proposed }: Matching): Matches {
  const chosen = Object.entries(matches).filter(([id, value]) => value === null || value !== proposed[id]);
  return Object.fromEntries(chosen);
}

/** Marks the undecided entities as not matched. */
function leaveOut(matches: Matches, open: readonly MatchedThing[]): Matches {
  return { ...matches, ...Object.fromEntries(open.map(({ id }) => [id, null])) };
}

/** Makes the entities that are not matched undecided again. */
function takeBack(matches: Matches): Matches {
  return Object.fromEntries(Object.entries(matches).filter(([, value]) => value !== null));
}
