import { ArrowLeft, X } from "lucide-react";
import { Fragment, useState } from "react";
import { progressOf } from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import type { NameRules } from "#app/bulk/bulk-rules.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { RowNote } from "#app/components/row-note.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { spokenDuration } from "#app/format/duration.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import { answersInQuery, type FetchedPlan, type PlanQuery } from "#app/restore/fetch-restore-plan.ts";
import { PlaceField } from "#app/restore/place-field.tsx";
import { QuestionFields } from "#app/restore/question-fields.tsx";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";
import { AnswersBadge } from "./answers-badge.tsx";
import type { Forecast } from "./bulk-queries.ts";
import type { BulkAnswersState } from "./use-bulk-answers.ts";
import { useForecast } from "./use-forecast.ts";

const AnswersDialog = lazyDialog(() => import("./answers-dialog.tsx"), "l");

type CheckTableProps = {
  items: readonly BulkItem[];
  /** The questions of the restores and their answers. */
  answers: BulkAnswersState;
  rules: NameRules;
  platform: string;
  timeZone: string;
  now: number;
  /** Opens the choice of another target. */
  onTarget: (item: BulkItem) => void;
  onRemove: (itemId: string) => void;
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
      <CheckTable
        {...rest}
        kind={kind}
        creates={forecast?.creates}
        title={(rules.isIntoExisting ? copy.summaryExisting : copy.summary)(
          items.length,
          kind.one,
          kind.many,
        )}
      />
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
function CheckTable({
  platform,
  kind,
  title,
  creates,
  items,
  answers,
  rules,
  timeZone,
  now,
  onTarget,
  onRemove,
}: CheckTableProps & {
  kind: ItemKind;
  title: string;
  /** What each restore creates; absent while it is not known. */
  creates: Forecast["creates"] | undefined;
}) {
  const [first, setFirst] = useState<string | null>(null);
  const [isAnswering, setIsAnswering] = useState(false);
  const { unmatched = {}, assign, counts } = restoreWords[platform] ?? {};
  const ownOf = ({ id }: BulkItem) => answers.questions.own.get(id) ?? [];
  const [question, ...others] = [...new Set(items.flatMap((item) => ownOf(item).map(({ label }) => label)))];
  const hasOwn = question !== undefined;
  const words = others.length === 0 ? (question ?? copy.choose) : copy.choose;
  const button = assign ?? words;
  const open = (id: string | null) => {
    setFirst(id);
    setIsAnswering(true);
  };
  const firstOpen = items.find((item) => progressOf(ownOf(item), answers.answersOf(item.id)).open > 0);
  return (
    <>
      <div className="row between bulk__head">
        <h2>{title}</h2>
        {hasOwn && <Button onClick={() => open(firstOpen?.id ?? null)}>{button}</Button>}
      </div>
      <table className="data-table bulk-table">
        <thead>
          <tr>
            <th scope="col">{copy.columns.from}</th>
            <th scope="col">{copy.columns.version}</th>
            <th scope="col">{copy.columns.to}</th>
            {counts && (
              <th scope="col" className="bulk-table__count">
                {counts.label}
              </th>
            )}
            {hasOwn && (
              <th scope="col" className="bulk-table__answers">
                {others.length === 0 ? words : copy.columns.answers}
              </th>
            )}
            <th>
              <span className="sr">{copy.columns.remove}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const why = ownOf(item).length === 0 ? unmatched[item.projectTypeKey ?? ""] : undefined;
            const hasNote = why !== undefined || item.isSame;
            return (
              <Fragment key={item.id}>
                <tr className={hasNote ? "has-sub" : undefined}>
                  <td>
                    <span className="item-name__top">
                      <span className="clip">{item.idName}</span>
                      <ItemTags tags={item.tags} />
                    </span>
                  </td>
                  <td className="mono-meta nowrap">
                    {item.verDate === null ? "" : dateTimeText(item.verDate, timeZone, now)}
                  </td>
                  <td>
                    <b className="medium clip">{targetText(item, rules)}</b>
                  </td>
                  {counts && (
                    <td className="mono-meta bulk-table__count">
                      <PlannedCount
                        planned={creates?.get(item.id)?.find(({ kind }) => kind === counts.kind)}
                      />
                    </td>
                  )}
                  {hasOwn && (
                    <td className="bulk-table__answers">
                      {why ? (
                        <span className="soft">{copy.impossible}</span>
                      ) : (
                        <AnswersState
                          item={item}
                          questions={ownOf(item)}
                          state={answers}
                          text={button}
                          onOpen={() => open(item.id)}
                        />
                      )}
                    </td>
                  )}
                  <td className="bulk-table__remove">
                    <IconButton label={copy.removeOf(item.idName)} onClick={() => onRemove(item.id)}>
                      <X aria-hidden />
                    </IconButton>
                  </td>
                </tr>
                {hasNote && (
                  <tr className="sub">
                    <td colSpan={4 + Number(hasOwn) + Number(counts !== undefined)}>
                      <ItemNote item={item} kind={kind} why={why} onTarget={() => onTarget(item)} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      <AnswersDialog
        isOpen={isAnswering}
        onClose={() => setIsAnswering(false)}
        platform={platform}
        title={words}
        button={button}
        items={items}
        first={first}
        state={answers}
      />
    </>
  );
}

/** How many things of one kind a restore creates. Where the table has no headings, the number has the word behind it. */
function PlannedCount({ planned }: { planned: FetchedPlan["creates"][number] | undefined }) {
  if (planned === undefined) return null;
  const { count, one, many } = planned;
  return (
    <>
      {count.toLocaleString("en-US")}
      <span className="bulk-table__unit"> {count === 1 ? one : many}</span>
    </>
  );
}

/** Why nothing of an item can be matched, and that its target makes duplicates (spec P-234, P-437). */
function ItemNote({
  item,
  kind,
  why,
  onTarget,
}: {
  item: BulkItem;
  kind: ItemKind;
  why: { what: string; instead: string } | undefined;
  onTarget: () => void;
}) {
  const same = item.isSame ? restoreCopy.target.same(kind.one) : "";
  return (
    <RowNote
      what={why?.what ?? same}
      actions={
        item.isSame && (
          <Button size="s" onClick={onTarget}>
            {copy.anotherTarget}
          </Button>
        )
      }
    >
      {why && `${why.instead} ${same}`}
    </RowNote>
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
  questions,
  state,
  text,
  onOpen,
}: {
  item: BulkItem;
  questions: readonly RestoreQuestion[];
  state: BulkAnswersState;
  text: string;
  onOpen: () => void;
}) {
  if (questions.length === 0) return null;
  return (
    <>
      <AnswersBadge {...progressOf(questions, state.answersOf(item.id))} />
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
