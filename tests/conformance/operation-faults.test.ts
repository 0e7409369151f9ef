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
  isStateChanging: false,
  handle: async () => [],
} satisfies ConnectorOperation;

const faultsOf = (change: Partial<ConnectorOperation>) =>
  faultsOfOperations([defineOperation({ ...sound, ...change } as ConnectorOperation)]);

test("valid operations have no faults", () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOfOperations([])).toEqual([]);
  // Only the member that the API adds is taken; below, an operation names what it likes.
  const nested = z.strictObject({
    target: z.strictObject({ connection_id: z.int(), connectionId: z.int() }),
  });
  expect(faultsOf({ input: nested })).toEqual([]);
});

test("each planted fault of an operation is reported with its path", () => {
  const planted: [string, Partial<ConnectorOperation>][] = [
    ["it takes unknown members", { input: z.object({ boardId: z.string().max(40) }) }],
    ["it takes a text of any length", { input: z.strictObject({ boardId: z.string() }) }],
    ["it takes a list of any length", { input: z.strictObject({ ids: z.array(z.int()) }) }],
    [
      "it takes connection_id, which the API adds",
      { input: z.strictObject({ connection_id: z.string().max(40) }) },
    ],
  ];
  for (const [fault, change] of planted) expect(faultsOf(change)).toEqual([`POST get-columns: ${fault}`]);
  expect(faultsOf({ method: "GET" })).toEqual(["GET get-columns: ids fits into no query"]);
  expect(faultsOf({ result: z.string().transform((text) => text.length) })).toEqual([
    expect.stringContaining("POST get-columns: its result cannot be described"),
  ]);
});
