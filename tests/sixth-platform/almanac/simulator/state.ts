import type { z } from "zod";
import type { OauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { emptyOauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";
import type { bookRecordSchema, Comment, Page, Register, Row } from "../payloads.ts";

export type Person = { id: string; login: string; name: string; siteIds: string[] };
export type Site = { id: string; name: string; address: string };

/** A file whose bytes lie in the simulator's folder. */
export type StoredFile = { id: string; name: string; sizeBytes: number; sha256: string };

/** A book with everything in it. */
export type StoredBook = z.output<typeof bookRecordSchema> & {
  siteId: string;
  pages: Page[];
  registers: Register[];
  rows: Row[];
  comments: Comment[];
  files: StoredFile[];
};

/** Everything that a simulated Almanac stores; plain JSON. */
export type AlmanacState = {
  counter: number;
  people: Person[];
  sites: Site[];
  books: StoredBook[];
  oauth: OauthState;
  /** What a request made, by its id: asked again, it makes nothing. */
  made: Record<string, string[]>;
};

/** What tests may change. */
export type AlmanacSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  tokenLifetimeMs: number;
  /** Requests and uploads per grant and window. */
  requestLimit: number;
  uploadLimit: number;
  windowMs: number;
  fileBytes: number;
};

/** A running simulator's state and surroundings. */
export type AlmanacWorld = {
  state: AlmanacState;
  settings: AlmanacSettings;
  directory: string;
  url: string;
  windows: Map<string, { used: number; resetAt: number }>;
  save(): void;
  refuse(refusal: Refusal): void;
};

/** A state without people. */
export function emptyState(): AlmanacState {
  return { counter: 0, people: [], sites: [], books: [], oauth: emptyOauthState(), made: {} };
}

/** Makes an id that grows with time, as Almanac's do: two letters of its kind and eight digits. */
export function newId(
  state: AlmanacState,
  kind: "pe" | "st" | "bk" | "pg" | "rg" | "rw" | "cm" | "fl",
): string {
  state.counter += 1;
  return `${kind}${state.counter.toString(36).padStart(8, "0")}`;
}
