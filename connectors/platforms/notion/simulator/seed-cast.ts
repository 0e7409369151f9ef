import type { Person, Workspace } from "./state.ts";

/** The people and workspaces of a new world, by what the seeds call them. */
export type Cast = Record<"nora" | "ivo" | "asa" | "lena", Person> &
  Record<"meridian" | "harbour", Workspace>;
