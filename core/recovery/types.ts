import type { ManifestRef, OrganisationKey, ReadManifest } from "#core/vault/index.ts";
import type { ItemState } from "./state-object.ts";

/** What the rebuild found, item by item. `problem`: something was left out, and its bytes were left alone. */
export type RebuildEvent =
  | { type: "rebuilt"; organisationId: string; itemId: string; versions: number }
  | { type: "present"; organisationId: string; itemId: string }
  | { type: "erased"; organisationId: string; itemId: string | null }
  | { type: "problem"; organisationId: string; itemId: string | null; message: string };

/** An object as the bucket lists it. */
export type Listed = { storedBytes: number; uploadedAt: number };

/** What the control database knows of an organisation: its key, and by id the status of its accounts. */
export type Holder = {
  organisationKey: OrganisationKey;
  connections: ReadonlyMap<string, "active" | "revoked">;
};

/** A state, and the object that describes it. */
export type StoredState = ItemState & { stateObject: string };

/** A manifest that was read in full, with every object that it needs in the bucket. */
export type ProvedManifest = ReadManifest & {
  id: string;
  root: ManifestRef["root"];
  /** The state whose object named this place. */
  state: StoredState;
  /** The plain size of one of its objects, from its stored size. */
  plainBytes: (objectId: string) => number;
};

/** A version of the rebuilt ledger. */
export type ShownVersion = {
  id: string;
  runId: string;
  takenAt: number;
  expiresAt: number;
  newBytes: number;
  manifestId: string;
  state: StoredState;
};
