import { ArrowLeft, Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { progressOf } from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import type { NameRules } from "#app/bulk/bulk-rules.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { spokenDuration } from "#app/format/duration.ts";
import { answersInQuery, type PlanQuery } from "#app/restore/fetch-restore-plan.ts";
import { PlaceField } from "#app/restore/place-field.tsx";
import { QuestionFields } from "#app/restore/question-fields.tsx";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { BulkAnswersState } from "./use-bulk-answers.ts";
import { useForecast } from "./use-forecast.ts";

const AnswersDialog = lazyDialog(() => import("./answers-dialog.tsx"), "m");

type CheckTableProps = {
  items: readonly BulkItem[];
  /** The questions of the restores and their answers. */
  answers: BulkAnswersState;
  rules: NameRules;
  timeZone: string;
  now: number;
};

type CheckFieldsProps = Pick<CheckTableProps, "items" | "answers"> & {
  platform: string;
  /** The possible target places; empty = each item goes to its original place. */
  places: readonly PlaceView[];
  isPlaceChosenAtFirst: boolean;
  /** The selected place. */
  place: PlaceView | null;
  onPlace: (placeId: string | null) => void;
  emails: string;
  emailFault: string | null;
  onEmails: (emails: string) => void;
};

/** Step 2: what will happen, who is notified, and the button that starts it. */
export function CheckStep({
  kind,
  label,
  isSending,
  reason,
  onBack,
  onRestore,
  ...rest
}: CheckTableProps &
  CheckFieldsProps & {
    kind: ItemKind;
    /** The platform's name. */
    label: string;
    isSending: boolean;
    reason: string | null;
    onBack: () => void;
    onRestore: () => void;
  }) {
  const { items, answers, rules } = rest;
  const queryOf = (item: BulkItem): PlanQuery => ({
    ...{ itemId: item.id, snapshotId: item.ver, path: null, placeId: null },
    into: rules.isIntoExisting ? item.name : null,
    ...answersInQuery(answers.answersOf(item.id)),
  });
  const forecast = useForecast(answers.isLoading ? null : items.map(queryOf));
  return (
    <>
      <h2 className="bulk__head">
        {(rules.isIntoExisting ? copy.summaryExisting : copy.summary)(items.length, kind.one, kind.many)}
      </h2>
      <CheckTable {...rest} />
      <p className="meta bulk__cost" aria-live="polite">
        {forecast !== null &&
          restoreCopy.plan.cost(forecast.calls, label, spokenDuration(forecast.durationMs))}
      </p>
      {items.some(({ isOpen }) => isOpen) && (
        <div className="bulk__note">
          <Callout tone="warn">{copy.publicSource}</Callout>
        </div>
      )}
      {answers.failure !== null && (
        <div className="bulk__note">
          <AnswersFailure message={answers.failure} onRetry={answers.retry} />
        </div>
      )}
      <CheckFields {...rest} />
      <div className="form-actions">
        <Button variant="ghost" size="l" onClick={onBack}>
          <ArrowLeft aria-hidden />
          {copy.stepBack}
        </Button>
        <Button
          variant="solid"
          size="l"
          className="push"
          isBusy={isSending}
          reason={reason}
          onClick={onRestore}
        >
          {copy.submit(items.length)}
        </Button>
      </div>
    </>
  );
}

/** Each item, its version and where it goes, with the decisions that its restore needs. */
function CheckTable({ items, answers, rules, timeZone, now }: CheckTableProps) {
  const [answered, setAnswered] = useState<BulkItem | null>(null);
  const [isAnswering, setIsAnswering] = useState(false);
  const hasOwn = items.some(({ id }) => (answers.questions.own.get(id) ?? []).length > 0);
  return (
    <>
      <table className="data-table bulk-table">
        <thead>
          <tr>
            <th scope="col">{copy.columns.from}</th>
            <th scope="col">{copy.columns.version}</th>
            <th scope="col">{copy.columns.to}</th>
            {hasOwn && (
              <th scope="col" className="bulk-table__answers">
                {copy.columns.answers}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>
                <span className="clip">{item.idName}</span>
              </td>
              <td className="mono-meta nowrap">
                {item.verDate === null ? "" : dateTimeText(item.verDate, timeZone, now)}
              </td>
              <td>
                <b className="medium clip">{targetText(item, rules)}</b>
              </td>
              {hasOwn && (
                <td className="bulk-table__answers">
                  <AnswersState
                    item={item}
                    state={answers}
                    onOpen={() => {
                      setAnswered(item);
                      setIsAnswering(true);
                    }}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <AnswersDialog
        isOpen={isAnswering}
        onClose={() => setIsAnswering(false)}
        item={answered}
        state={answers}
      />
    </>
  );
}

function AnswersFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Callout
      tone="warn"
      action={
        <Button size="s" onClick={onRetry}>
          {copy.retry}
        </Button>
      }
    >
      {restoreCopy.questions.failed(message)}
    </Callout>
  );
}

/** Answers for all items, their place, and who gets an e-mail. */
function CheckFields({
  items,
  answers,
  platform,
  places,
  isPlaceChosenAtFirst,
  place,
  onPlace,
  emails,
  emailFault,
  onEmails,
}: CheckFieldsProps) {
  const [isLeft, setIsLeft] = useState(false);
  return (
    <div className="bulk__fields">
      <QuestionFields
        questions={answers.questions.shared}
        answers={answers.answersOf(items[0]?.id ?? "")}
        onAnswer={answers.answerAll}
      />
      {places.length > 0 && (
        <PlaceField
          platform={platform}
          label={copy.place}
          places={places}
          value={place?.id ?? null}
          isChosenAtFirst={isPlaceChosenAtFirst}
          onChoose={onPlace}
        />
      )}
      <Field
        label={copy.emails}
        aside={<span className="field__hint">{copy.optional}</span>}
        value={emails}
        hint={copy.emailsHint}
        errors={isLeft && emailFault !== null ? [emailFault] : undefined}
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        onChange={(event) => onEmails(event.target.value.replace(/\s/g, ""))}
        onFocus={() => setIsLeft(false)}
        onBlur={() => setIsLeft(true)}
      />
    </div>
  );
}

/** The number of open decisions of an item, and the button that opens them. */
function AnswersState({
  item,
  state,
  onOpen,
}: {
  item: BulkItem;
  state: BulkAnswersState;
  onOpen: () => void;
}) {
  const questions = state.questions.own.get(item.id) ?? [];
  const [first, ...more] = questions;
  if (first === undefined) return null;
  const text = more.length === 0 ? first.label : copy.choose;
  const { open, all, isMatching } = progressOf(questions, state.answersOf(item.id));
  return (
    <>
      {open > 0 ? (
        <span className="status-badge warn-t">
          <TriangleAlert className="icon-s" aria-hidden />
          {isMatching ? copy.openOf(open, all) : copy.open(open)}
        </span>
      ) : (
        <span className="status-badge">
          <Check className="icon-s ok-t" aria-hidden />
          {isMatching ? copy.matched(all, all) : copy.chosen}
        </span>
      )}
      <Button size="s" aria-label={copy.chooseFor(text, item.idName)} onClick={onOpen}>
        {text}
      </Button>
    </>
  );
}

function targetText({ name, intoName }: BulkItem, { isUnnamed, isIntoExisting }: NameRules): string {
  if (isIntoExisting) return intoName;
  return isUnnamed ? copy.unnamed : name.trim();
}
