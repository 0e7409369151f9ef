import type { ReactNode } from "react";

/** A few options as cards; a radio group for keyboard and screen reader users. */
export function ChoiceCards<Id extends string>({
  name,
  label,
  value,
  choices,
  onChoose,
}: {
  name: string;
  label: string;
  value: Id | null;
  choices: readonly { id: Id; name: string; text?: string; picture?: ReactNode }[];
  onChoose: (id: Id) => void;
}) {
  return (
    <fieldset className="settings-cards">
      <legend className="sr">{label}</legend>
      {choices.map(({ id, name: word, text, picture }) => (
        <label key={id} className="choice">
          <input type="radio" name={name} value={id} checked={id === value} onChange={() => onChoose(id)} />
          {picture}
          <span className="choice__head">
            {word}
            <span className="radio" />
          </span>
          {text && <span className="meta">{text}</span>}
        </label>
      ))}
    </fieldset>
  );
}
