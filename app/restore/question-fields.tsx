import { useId } from "react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Field } from "#app/components/field.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { restoreCopy } from "#app/copy/restore.ts";
import type {
  RestoreAnswer,
  RestoreAnswers,
  RestoreQuestion,
} from "#connectors/contract/restore-question.ts";
import { faultOf, matchesOf } from "#core/restores/restore-answers.schema.ts";
import { MatchingField } from "./matching-field.tsx";

const copy = restoreCopy.questions;

/** One field per question of a restore. `answers` are complete. */
export function QuestionFields({
  questions,
  answers,
  onAnswer,
}: {
  questions: readonly RestoreQuestion[];
  answers: RestoreAnswers;
  onAnswer: (name: string, answer: RestoreAnswer) => void;
}) {
  if (questions.length === 0) return null;
  return (
    <fieldset className="choice-lines">
      <legend className="sr">{copy.legend}</legend>
      {questions.map((question) => (
        <QuestionField
          key={question.name}
          question={question}
          answers={answers}
          onAnswer={(answer) => onAnswer(question.name, answer)}
        />
      ))}
    </fieldset>
  );
}

function QuestionField({
  question,
  answers,
  onAnswer,
}: {
  question: RestoreQuestion;
  answers: RestoreAnswers;
  onAnswer: (answer: RestoreAnswer) => void;
}) {
  const answer = answers[question.name];
  const fault = faultOf(question, answers);
  switch (question.type) {
    case "switch":
      return <SwitchLine question={question} isOn={answer === true} onAnswer={onAnswer} />;
    case "choice": {
      const chosen = question.options.find(({ value }) => value === answer);
      return (
        <SelectField
          label={question.label}
          required
          hint={[question.help, chosen?.help].filter(Boolean).join(" ")}
          value={chosen?.value ?? ""}
          onChange={({ target }) => target.value !== "" && onAnswer(target.value)}
        >
          {chosen === undefined && <option value="">{copy.choose}</option>}
          {question.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      );
    }
    case "text":
      return (
        <Field
          label={question.label}
          hint={question.help}
          value={typeof answer === "string" ? answer : ""}
          errors={fault?.kind === "too-long" ? [copy.tooLong(fault.most)] : undefined}
          autoComplete="off"
          onChange={({ target }) => onAnswer(target.value)}
        />
      );
    case "matching":
      return <MatchingField question={question} matches={matchesOf(answer)} onMatch={onAnswer} />;
    default:
      return question satisfies never;
  }
}

function SwitchLine({
  question: { label, help },
  isOn,
  onAnswer,
}: {
  question: Pick<RestoreQuestion, "label" | "help">;
  isOn: boolean;
  onAnswer: (answer: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="choice-line" htmlFor={id}>
      <Checkbox id={id} checked={isOn} onCheckedChange={onAnswer} />
      <span>
        {label}
        {help !== "" && <span className="field__hint">{help}</span>}
      </span>
    </label>
  );
}
