import { z } from "zod";

/** The action on a matching request. The names follow the fault catalogue: answers, timing, cuts, git streams. */
const actionSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answer"),
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).default(""),
  }),
  z.strictObject({ kind: z.literal("latency"), ms: z.number().int().min(0) }),
  /** Closes the connection after this many bytes of the body. */
  z.strictObject({ kind: z.literal("cut"), afterBytes: z.number().int().min(0) }),
  /** Sends this many bytes of the body, then nothing, and keeps the connection open. */
  z.strictObject({ kind: z.literal("stall"), afterBytes: z.number().int().min(0).default(0) }),
  /** Closes the connection without a response. With `handled`, the platform processes the request first. */
  z.strictObject({ kind: z.literal("drop"), handled: z.boolean().default(false) }),
  /** One of the platform's own rate-limit responses, by name. */
  z.strictObject({
    kind: z.literal("rate-limit"),
    shape: z.string(),
    /** Seconds, an HTTP date, or absent. */
    retryAfter: z.string().optional(),
    /** Epoch seconds. */
    resetAt: z.number().int().optional(),
  }),
  /**
   * Ends a git stream with an error on band 3, at the first packet after this many bytes. `told` holds the messages of
   * band 2 before that, which git sends unless it is killed (git: upload-pack.c relays the messages of pack-objects).
   */
  z.strictObject({
    kind: z.literal("band3"),
    afterBytes: z.number().int().min(0),
    told: z.string().default(""),
    message: z.string().default("aborting due to possible repository corruption on the remote side."),
  }),
  /** Answers a git request with an `ERR` line. */
  z.strictObject({ kind: z.literal("err-line"), message: z.string() }),
  /** Flips the last byte of the pack, which is part of its SHA-1. */
  z.strictObject({ kind: z.literal("wrong-trailer") }),
  /** Adds one to the object count in the pack's header. */
  z.strictObject({ kind: z.literal("object-count") }),
  /** Sends the body in small pieces of this many bytes, with a pause before each. */
  z.strictObject({
    kind: z.literal("drip"),
    bytes: z.number().int().min(1),
    everyMs: z.number().int().min(1),
  }),
  /** A web page instead of the response; by default with status 200. */
  z.strictObject({ kind: z.literal("html"), status: z.number().int().default(200) }),
]);

/** Which requests are affected, how often, and how. */
export const faultSchema = z.strictObject({
  match: z.strictObject({
    method: z.string().optional(),
    /** Regular expression over path and query. */
    path: z.string().refine(isPattern, "is no regular expression").default("."),
  }),
  /** The number of matching requests that pass unaffected first. */
  skip: z.number().int().min(0).default(0),
  times: z.number().int().min(1).default(1),
  action: actionSchema,
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** A fault as tests write it. */
export type FaultOrder = z.input<typeof faultSchema>;
/** The parsed action of a fault. */
export type FaultAction = z.output<typeof actionSchema>;

/** The pending faults. */
export type FaultPlan = {
  add(order: FaultOrder): void;
  clear(): void;
  /** Takes the action for this request and counts it; null = the request passes. */
  take(method: string, path: string): FaultAction | null;
  waiting(): readonly FaultOrder[];
};

/** Creates a plan without faults. The oldest matching fault is used first. */
export function createFaultPlan(): FaultPlan {
  let faults: z.output<typeof faultSchema>[] = [];
  return {
    add(order) {
      faults.push(faultSchema.parse(order));
    },
    clear() {
      faults = [];
    },
    take(method, path) {
      for (const fault of faults) {
        if (fault.match.method && fault.match.method !== method) continue;
        if (!new RegExp(fault.match.path).test(path)) continue;
        if (fault.skip > 0) {
          fault.skip -= 1;
          continue;
        }
        fault.times -= 1;
        if (fault.times === 0) faults = faults.filter((other) => other !== fault);
        return fault.action;
      }
      return null;
    },
    waiting: () => faults,
  };
}
