import { useEffect, useState } from "react";
import { answersFor, type BulkChoices, bulkAnswersReason, progressOf } from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { GuideLink } from "#app/components/guide-dialog.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { QuestionFields } from "#app/restore/question-fields.tsx";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import { AnswersBadge } from "./answers-badge.tsx";
import type { BulkAnswersState } from "./use-bulk-answers.ts";

/**
 * The questions that differ between the restores, e.g. which columns match: the items on the left, the questions of one
 * of them on the right. Nothing changes before the button.
 */
export default function AnswersDialog({
  isOpen,
  onClose,
  platform,
  title,
  button,
  items,
  first,
  state,
}: {
  isOpen: boolean;
  onClose: () => void;
  platform: string;
  title: string;
  button: string;
  items: readonly BulkItem[];
  /** Id of the item that is shown first. */
  first: string | null;
  state: BulkAnswersState;
}) {
  const [own, setOwn] = useState(state.chosen.own);
  const [shownId, setShownId] = useState(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- starts from what was chosen whenever it opens
  useEffect(() => {
    if (!isOpen) return;
    setOwn(state.chosen.own);
    setShownId(first);
  }, [isOpen, first]);
  const guide = restoreWords[platform]?.guide;
  const reason = bulkAnswersReason({ shared: [], own: state.questions.own }, { shared: {}, own });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="l"
      isFlush
      title={title}
      description={copy.answersText}
      footer={
        <>
          {guide && <GuideLink guide={guide} />}
          <span className="push-end" />
          <DialogButtons
            label={button}
            reason={reason}
            onConfirm={() => {
              state.chooseOwn(own);
              onClose();
            }}
            onClose={onClose}
          />
        </>
      }
    >
      <AnswersPanes
        {...{ platform, items, state, own, shownId }}
        onShow={setShownId}
        onAnswer={(itemId, name, answer) =>
          setOwn((before) => ({ ...before, [itemId]: { ...before[itemId], [name]: answer } }))
        }
      />
    </Dialog>
  );
}

/** The items with the state of their answers, and the questions of the shown one. */
export function AnswersPanes({
  platform,
  items,
  state,
  own,
  shownId,
  onShow,
  onAnswer,
}: {
  platform: string;
  items: readonly BulkItem[];
  state: Pick<BulkAnswersState, "questions" | "chosen">;
  /** The answers so far, by item. */
  own: BulkChoices["own"];
  shownId: string | null;
  onShow: (itemId: string) => void;
  onAnswer: (itemId: string, name: string, answer: BulkChoices["shared"][string]) => void;
}) {
  const { questions, chosen } = state;
  const unmatched = restoreWords[platform]?.unmatched ?? {};
  const ownOf = (id: string) => questions.own.get(id) ?? [];
  const answersOf = (id: string) => answersFor(questions, { shared: chosen.shared, own }, id);
  const listed = items.filter((item) => ownOf(item.id).length > 0 || unmatched[item.projectTypeKey ?? ""]);
  const shown = listed.find(({ id }) => id === shownId) ?? listed[0];
  const why = shown && ownOf(shown.id).length === 0 ? unmatched[shown.projectTypeKey ?? ""] : undefined;
  return (
    <div className="match">
      <nav className="match__list" aria-label={copy.answersList}>
        {listed.map((item) => (
          <button
            key={item.id}
            type="button"
            className="plain-btn"
            aria-current={item.id === shown?.id ? "true" : undefined}
            onClick={() => onShow(item.id)}
          >
            <b dir="auto">{item.idName}</b>
            <span className="meta clip">
              {item.intoName === "" ? item.tags[0]?.meaning : copy.intoName(item.intoName)}
            </span>
            <AnswersBadge
              {...progressOf(ownOf(item.id), answersOf(item.id))}
              isImpossible={ownOf(item.id).length === 0}
            />
          </button>
        ))}
      </nav>
      {shown && (
        <div className="match__body">
          <h3 className="block" dir="auto">
            {shown.intoName === "" ? shown.idName : copy.pair(shown.idName, shown.intoName)}
          </h3>
          {why ? (
            <p className="soft">
              {why.what} {why.instead}
            </p>
          ) : (
            <QuestionFields
              questions={ownOf(shown.id)}
              answers={answersOf(shown.id)}
              onAnswer={(name, answer) => onAnswer(shown.id, name, answer)}
            />
          )}
        </div>
      )}
    </div>
  );
}
