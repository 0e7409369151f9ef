import { expect, test } from "vitest";
import { z } from "zod";
import { type ConnectorOperation, defineOperation } from "#connectors/contract/operations.ts";
import { faultsOfOperations } from "./operation-faults.ts";

const sound = {
  method: "POST",
  path: "get-columns",
  summary: "Columns of a board",
  input: z.strictObject({
    boardId: z.string().max(40),
    order: z.enum(["name", "age"]).optional(),
    ids: z.array(z.string().max(9)).max(5),
  }),
  result: z.array(z.object({ id: z.string() })),
  right: "use",
  isStateChanging: false,
  handle: async () => [],
} satisfies ConnectorOperation;

const faultsOf = (change: Partial<ConnectorOperation>) =>
  faultsOfOperations([defineOperation({ ...sound, ...change } as ConnectorOperation)]);

test("valid operations have no faults", () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOfOperations([])).toEqual([]);
});

test("each planted fault of an operation is reported with its path", () => {
  const planted: [string, Partial<ConnectorOperation>][] = [
    ["it takes unknown members", { input: z.object({ boardId: z.string().max(40) }) }],
    ["it takes a text of any length", { input: z.strictObject({ boardId: z.string() }) }],
    ["it takes a list of any length", { input: z.strictObject({ ids: z.array(z.int()) }) }],
  ];
  for (const [fault, change] of planted) expect(faultsOf(change)).toEqual([`POST get-columns: ${fault}`]);
  expect(faultsOf({ method: "GET" })).toEqual(["GET get-columns: ids fits into no query"]);
  expect(faultsOf({ result: z.string().transform((text) => text.length) })).toEqual([
    expect.stringContaining("POST get-columns: its result cannot be described"),
  ]);
});
