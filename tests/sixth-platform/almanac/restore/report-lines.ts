import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { Register } from "../payloads.ts";
import type { RegisterMatch } from "./answers.ts";

/** What is known before a restore begins; plan and report tell it in the same words. */
export function* knownLines(
  registers: readonly Register[],
  {
    hasComments,
    hasReaders,
    matches,
  }: { hasComments: boolean; hasReaders: boolean; matches: ReadonlyMap<string, RegisterMatch> },
): Generator<RestoreEvent, void> {
  const reason = "Almanac gives everything that is restored to the connected account.";
  yield { type: "impossible", what: "Authors and dates", reason };
  if (registers.some(({ columns }) => columns.some(({ type }) => type === "rows")))
    yield { type: "impossible", what: "Links between rows", reason: "Restored rows have new ids." };
  if (hasReaders)
    yield { type: "impossible", what: "Readers", reason: "Almanac lets only people invite people." };
  if (hasComments) {
    const own = "Almanac takes a reaction from its author only.";
    yield { type: "impossible", what: "Reactions", reason: own };
    const order = "They follow each other in their order, and name whom they answer.";
    yield { type: "changed", what: "Answers to comments", reason: order };
  }
  for (const register of registers) {
    const match = matches.get(register.id);
    if (match === undefined) continue;
    for (const { id, name } of register.columns)
      if (!match.columns.has(id))
        yield { type: "changed", what: `${register.title} · ${name}`, reason: "The column was left out." };
  }
}
