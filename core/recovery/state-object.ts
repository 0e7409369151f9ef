import { z } from "zod";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { opaqueJson, storedJson } from "#core/kernel/stored-json.ts";
import {
  type ObjectScope,
  readObject,
  type VaultDeps,
  VaultError,
  type VaultReadDeps,
  writeObject,
} from "#core/vault/index.ts";

const location = z.strictObject({
  object: z.string(),
  offset: z.int(),
  length: z.int(),
  method: z.union([z.literal(0), z.literal(8)]),
  hash: z.string(),
});

const stateSchema = z.strictObject({
  snapshot: z.strictObject({
    id: z.string(),
    runId: z.string(),
    takenAt: z.int(),
    expiresAt: z.int(),
    newBytes: z.int(),
  }),
  manifest: z.strictObject({ id: z.string(), root: location }),
  run: z.strictObject({
    trigger: z.enum(["schedule", "user", "system"]),
    createdAt: z.int(),
    createdBy: z.string().nullable(),
    committedAt: z.int(),
    bytesRead: z.int(),
  }),
  item: z.strictObject({
    connectionId: z.string(),
    placeId: z.string().nullable(),
    platform: z.string(),
    kind: z.string(),
    externalId: z.string(),
    name: z.string(),
    fullName: z.string(),
    description: z.string().nullable(),
    details: opaqueJson,
    isDaily: z.boolean(),
    dailyChanges: z.array(z.number()),
    isPausedByPlan: z.boolean(),
    alarmLostPercent: z.number().nullable(),
    alarmLostCount: z.number().nullable(),
    createdAt: z.int(),
  }),
  place: z
    .strictObject({
      externalId: z.string(),
      name: z.string(),
      type: z.string(),
      details: z.custom<Json | null>((value) => value !== undefined),
      createdAt: z.int(),
    })
    .nullable(),
});

/** A state of an item, with the version that showed it first: what the ledger knows and the manifest does not. */
export type ItemState = z.output<typeof stateSchema>;

/** Raise the version when the contents or their meaning change, and read the earlier ones: old objects stay as they are. */
const form = storedJson(1, stateSchema.extend({ format: z.literal("holdfast-state") }));

/** True for the object ids of states. They can be told in a listing, without reading the object. */
export const isStateId = (objectId: string): boolean => objectId.startsWith("sta_");

/**
 * Writes the object that describes a state. It says nothing of the objects that the state needs: the manifest does, and
 * unlike a list made now it still does when their earlier versions have expired or a repack has moved them.
 *
 * @returns the object's id, for the commit. Without that commit `prune` deletes it like any other left-over object.
 */
export async function describeState(
  vault: VaultDeps,
  { scope, state }: { scope: ObjectScope; state: ItemState },
): Promise<string> {
  const bytes = utf8(canonicalJson(form.write({ ...state, format: "holdfast-state" })));
  const target = { scope, kind: "state" as const, runId: state.snapshot.runId, id: vault.ids.next("state") };
  return (await writeObject(vault, target, bytes)).id;
}

/** Reads the object of a state. @throws VaultError when it is damaged, or `tampered` when its form is unknown */
export async function readState(
  vault: VaultReadDeps,
  { scope, id }: { scope: ObjectScope; id: string },
): Promise<ItemState> {
  const text = fromUtf8(await readObject(vault, { scope, id, kind: "state" }));
  const found = form.read(JSON.parse(text));
  if (found.kind === "unreadable")
    throw new VaultError("tampered", `${id} describes a state in an unknown form`);
  const { format: _, ...state } = found.value;
  return state;
}
