import { useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RestoreAnswer, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { completeAnswers } from "#core/restores/restore-answers.schema.ts";
import { answersInQuery } from "./fetch-restore-plan.ts";
import { QuestionFields } from "./question-fields.tsx";
import { RestoreFailure } from "./restore-failure.tsx";
import {
  answersReason,
  checkRestore,
  chosenPlace,
  defaultRestoreName,
  proposedTarget,
  type RestoreEntries,
} from "./restore-form.ts";
import { RestorePlan } from "./restore-plan.tsx";
import { kindOf, type RestoreFieldsProps } from "./restore-subject.ts";
import { RestoreTargetPart } from "./restore-target-part.tsx";
import { type QuestionsState, useRestoreQuestions } from "./use-restore-questions.ts";

/** The form of a restore, its plan, and the button that starts it. */
export function RestoreFields(props: RestoreFieldsProps) {
  const { subject, rules, onClose } = props;
  const formId = useId();
  const [isEmailLeft, setIsEmailLeft] = useState(false);
  const { isSending, error, restore } = useSending(props);
  const { entries, order, asked, reason, change, answer } = useEntries(props);
  return (
    <>
      <div className="dialog__body">
        <form
          method="post"
          id={formId}
          className="dialog__form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setIsEmailLeft(true);
            if (reason === null) void restore(entries, asked.questions);
          }}
        >
          {props.children}
          <RestoreTargetPart {...props} entries={entries} onChange={change} />
          <Questions asked={asked} answers={entries.answers} onAnswer={answer} />
          <Field
            label={copy.emails}
            aside={<span className="field__hint">{copy.optional}</span>}
            value={entries.emails}
            hint={copy.emailsHint}
            errors={isEmailLeft ? listOf(checkRestore(entries, rules).emails) : undefined}
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            onChange={({ target: { value } }) => change({ emails: value.replace(/\s/g, "") })}
            onFocus={() => setIsEmailLeft(false)}
            onBlur={() => setIsEmailLeft(true)}
          />
          {error !== null && <RestoreFailure platform={subject.platform} text={error} />}
        </form>
        <RestorePlan
          platform={subject.platform}
          item={subject.item}
          query={order && { ...order, ...answersInQuery(entries.answers) }}
          skippedCount={props.skippedCount ?? 0}
          timeZone={props.timeZone}
        />
      </div>
      <div className="dialog__foot">
        <Button variant="ghost" onClick={onClose}>
          {copy.cancel}
        </Button>
        <Button
          type="submit"
          form={formId}
          variant="solid"
          className="btn-clip"
          isBusy={isSending}
          reason={reason}
          onClick={undefined}
        >
          <span className="clip">{submitText(props, entries)}</span>
        </Button>
      </div>
    </>
  );
}

/** The entries, completed with the defaults, and the questions about them. */
function useEntries(props: RestoreFieldsProps) {
  const { subject, rules, targets, places, isAskingPlaces = false } = props;
  const { itemId, snapshotId, part } = subject;
  const [typed, setTyped] = useState<Omit<RestoreEntries, "snapshotId">>({
    ...{ into: null, name: "", placeId: null, emails: "", answers: {} },
  });
  const source = targets.targets?.items.find(({ isSource }) => isSource)?.externalId ?? null;
  const into = typed.into ?? proposedTarget(rules, part === null ? null : source);
  const place = into === "new" ? chosenPlace(places, typed.placeId, rules) : null;
  const order =
    snapshotId === null || into === null
      ? null
      : {
          ...{ itemId, snapshotId, path: part?.path ?? null },
          into: into === "new" ? null : into.externalId,
          placeId: place?.externalId ?? null,
        };
  const asked = useRestoreQuestions(order);
  const entries = { ...typed, snapshotId, into, answers: completeAnswers(asked.questions, typed.answers) };
  return {
    entries,
    order,
    asked,
    /** Why Restore is disabled; null = it is enabled. */
    reason: props.reasonOf(entries) ?? waitingReason(asked, isAskingPlaces, entries.answers),
    change: (more: Partial<RestoreEntries>) => setTyped((before) => ({ ...before, ...more })),
    /** Keeps only what the user chose, because another target has other defaults. */
    answer: (name: string, answer: RestoreAnswer) =>
      setTyped((before) => ({ ...before, answers: { ...before.answers, [name]: answer } })),
  };
}

function Questions({
  asked,
  answers,
  onAnswer,
}: { asked: QuestionsState } & Pick<Parameters<typeof QuestionFields>[0], "answers" | "onAnswer">) {
  if (asked.failure !== null) {
    const again = (
      <Button size="s" onClick={asked.retry}>
        {copy.questions.retry}
      </Button>
    );
    return (
      <Callout tone="warn" action={again}>
        {copy.questions.failed(asked.failure)}
      </Callout>
    );
  }
  return <QuestionFields questions={asked.questions} answers={answers} onAnswer={onAnswer} />;
}

/** Sends one restore at a time and keeps the error of a refused one. */
function useSending({ send, onClose }: Pick<RestoreFieldsProps, "send" | "onClose">) {
  const { isBusy, isDone, refusal, send: run } = useRequest();
  const isSending = isBusy || isDone;
  async function restore(entries: RestoreEntries, questions: readonly RestoreQuestion[]): Promise<void> {
    const { snapshotId } = entries;
    if (isSending || snapshotId === null) return;
    if (await run(() => send({ ...entries, snapshotId }, questions))) onClose();
  }
  return { isSending, error: refusal === "" ? copy.failed : refusal, restore };
}

/** Returns why Restore is disabled although the entries are valid; null = it is enabled. */
function waitingReason(
  { questions, isLoading }: QuestionsState,
  isAskingPlaces: boolean,
  answers: RestoreEntries["answers"],
): string | null {
  if (isAskingPlaces) return copy.reasons.place;
  return isLoading ? copy.reasons.questions : answersReason(questions, answers);
}

function submitText(
  { subject, rules, targets }: RestoreFieldsProps,
  { into, name }: Pick<RestoreEntries, "into" | "name">,
): string {
  const { one, restoredAs = one } = kindOf(subject);
  if (into === null) return copy.restore;
  if (into !== "new") {
    const found = targets.targets?.items.find(({ externalId }) => externalId === into.externalId);
    return copy.submit(visibleName(found?.name ?? one));
  }
  const fallback = subject.item && defaultRestoreName(subject.item.name, rules.nameLimit);
  const newName = name.trim() === "" ? fallback : name.trim();
  return rules.isUnnamed || newName === null || subject.part !== null
    ? copy.submitUnnamed(restoredAs)
    : copy.submit(newName);
}

function listOf(text: string | null): string[] | undefined {
  return text === null ? undefined : [text];
}
