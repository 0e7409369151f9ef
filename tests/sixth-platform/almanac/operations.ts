import { z } from "zod";
import { defineOperation } from "#connectors/contract/operations.ts";
import { almanacClient, listPages, paths, siteOf } from "./client.ts";
import { registerSchema } from "./payloads.ts";

const MOST_REGISTERS = 200;

/** The registers of a book as they are now, so that a client can match columns before it asks for a restore. */
const getRegisters = defineOperation({
  method: "GET",
  path: "get-registers",
  summary: "Registers of a book with their columns",
  input: z.strictObject({ bookId: z.string().min(1).max(40) }),
  result: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      columns: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
    }),
  ),
  isStateChanging: false,
  async handle({ session }, { bookId }) {
    const call = { path: paths.below(siteOf(session), bookId, "registers"), about: "this book" };
    const found: z.output<typeof registerSchema>[] = [];
    for await (const { items } of listPages(almanacClient(session), call, registerSchema)) {
      found.push(...items);
      if (found.length >= MOST_REGISTERS) break;
    }
    return found.slice(0, MOST_REGISTERS);
  },
});

/** Calls of the public API that only Almanac has. */
export const operations = [getRegisters];
