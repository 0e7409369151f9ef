import * as z from "zod/mini";
import { callApi } from "./call-api.ts";

const lines = z.array(z.object({ what: z.string(), reason: z.string() }));
const cost = {
  calls: z.number(),
  creations: z.number(),
  bytes: z.number(),
  durationMs: z.number(),
};
const planSchema = z.object({
  creates: z.array(z.object({ kind: z.string(), count: z.number(), one: z.string(), many: z.string() })),
  isEstimate: z.boolean(),
  changed: lines,
  impossible: lines,
  missing: lines,
  cost: z.object(cost),
  slower: z.nullable(z.object({ ...cost, reason: z.string() })),
  pausedUntil: z.nullable(z.number()),
});

/** The plan of a restore, as the screens use it. */
export type FetchedPlan = z.output<typeof planSchema>;

/** Fetches the plan for restoring a version with these options. The screen shows failures itself. @throws {ApiError} */
export async function fetchRestorePlan(request: {
  itemId: string;
  snapshotId: string;
  options: Readonly<Record<string, boolean>>;
  /** The target place, by the platform's id. */
  placeId?: string | null;
  signal?: AbortSignal;
}): Promise<FetchedPlan> {
  const { itemId, snapshotId, signal } = request;
  const options = Object.keys(request.options).filter((name) => request.options[name]);
  const { result } = await callApi("versions/restore-plan", {
    query: {
      itemId,
      snapshotId,
      options: options.length > 0 ? options.sort().join(",") : null,
      placeId: request.placeId ?? null,
    },
    schema: planSchema,
    isQuiet: true,
    signal,
  });
  return result;
}

/** Fetches the plan for restoring one part of a version. The screen shows failures itself. @throws {ApiError} */
export async function fetchPartPlan(request: {
  itemId: string;
  snapshotId: string;
  path: string;
  into: "new" | "existing";
  signal?: AbortSignal;
}): Promise<FetchedPlan> {
  const { signal, ...query } = request;
  const { result } = await callApi("versions/restore-part-plan", {
    query,
    schema: planSchema,
    isQuiet: true,
    signal,
  });
  return result;
}
