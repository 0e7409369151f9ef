import { expect, test } from "vitest";
import { explainRefusals, type RefRefusal } from "./explain-refusals.ts";

const platform = { name: "GitHub", advice: { "protected-ref": "Lift the protection." } };

test("refs that were refused for the same reason are told together, twenty of them by name", () => {
  const refused = (ref: string): [string, RefRefusal] => [
    ref,
    { cause: "protected-ref", reason: `${ref} is protected` },
  ];
  const many = Array.from({ length: 20 }, (_, number) => refused(`refs/heads/b${number}`));
  const refusals = new Map<string, RefRefusal>([
    ...many,
    refused("refs/tags/v1"),
    ["refs/notes/commits", { cause: "other", reason: "no notes" }],
  ]);
  const names = many.map(([ref]) => ref.slice("refs/heads/".length)).join(", ");
  expect([...explainRefusals(refusals, platform)]).toEqual([
    {
      type: "missing",
      what: `${names} and 1 more`,
      reason: "Lift the protection. GitHub said: this ref is protected",
    },
    { type: "missing", what: "refs/notes/commits", reason: "GitHub said: no notes" },
  ]);
});
