import { z } from "zod";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { paths } from "../client.ts";
import { madeSchema, type Register } from "../payloads.ts";
import type { Place, RestoreIo, RestoreStep } from "./restore-io.ts";
import { restoreRows } from "./restore-rows.ts";

/** Restores a register with all its rows, or adds them to the register that it is matched with. @returns its new id */
export async function* restoreRegister(io: RestoreIo, register: Register, place: Place): RestoreStep<string> {
  const id = await targetOf(io, register, place);
  yield* restoreRows(io, register, id);
  return id;
}

/** The register that rows go into: the matched one, or a new one. */
export async function targetOf(io: RestoreIo, register: Register, place: Place): Promise<string> {
  const match = io.matches.get(register.id);
  if (match !== undefined) return match.into;
  const key = `register:${register.id}`;
  const known = await readNote(io.journal, key, z.string());
  const id = known ?? (await makeRegister(io, register, place));
  if (known === null) await io.journal.record(key, id);
  io.counts.register += 1;
  return id;
}

async function makeRegister(io: RestoreIo, register: Register, place: Place): Promise<string> {
  const { parentId, slot, prefix } = place;
  const { title, icon, text, isArchived, columns, layouts } = register;
  const body = {
    requestId: `${io.mark}:register:${register.id}`,
    ...{ parentId, slot, title: `${prefix}${title}`, icon, text, isArchived, columns, layouts },
  };
  const path = paths.below(io.siteId, io.bookId, "registers");
  const call = { method: "POST", path, body, about: "the restored register", isRepeatable: true } as const;
  return (await io.client.request(call, madeSchema)).id;
}
