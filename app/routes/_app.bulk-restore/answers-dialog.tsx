import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { QuestionFields } from "#app/restore/question-fields.tsx";
import type { BulkAnswersState } from "./use-bulk-answers.ts";

/** The questions of one item that differ between items, e.g. which columns match. */
export default function AnswersDialog({
  isOpen,
  onClose,
  item,
  state,
}: {
  isOpen: boolean;
  onClose: () => void;
  /** Stays set while the dialog closes. */
  item: BulkItem | null;
  state: BulkAnswersState;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      isFlush
      title={copy.answersOf(item?.idName ?? "")}
      footer={
        <Button variant="solid" onClick={onClose}>
          {copy.done}
        </Button>
      }
    >
      {item !== null && (
        <div className="dialog__plain">
          <QuestionFields
            questions={state.questions.own.get(item.id) ?? []}
            answers={state.answersOf(item.id)}
            onAnswer={(name, answer) => state.answerOne(item.id, name, answer)}
          />
        </div>
      )}
    </Dialog>
  );
}
