import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";

const TEXTS = {
  type: "switch",
  name: "texts",
  label: "Bring the texts of cards back",
  help: "Without them the cards have their titles alone.",
  default: true,
} as const satisfies RestoreQuestion;

const answersSchema = z.object({ [TEXTS.name]: z.boolean().catch(TEXTS.default) });

/** Returns the questions of a restore. They may depend on the target and may call the platform. */
export async function restoreQuestions(): Promise<readonly RestoreQuestion[]> {
  return [TEXTS];
}

/** Parses the answers in an order. */
export function readAnswers({ answers }: Pick<RestoreOrder, "answers">): z.output<typeof answersSchema> {
  return answersSchema.parse(answers);
}
