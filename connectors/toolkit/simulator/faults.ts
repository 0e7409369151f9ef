import { z } from "zod";

/** What is done to a matching request. The names follow the fault catalogue: answers, timing, cuts, git streams. */
const actionSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answer"),
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).default(""),
  }),
  z.strictObject({ kind: z.literal("latency"), ms: z.number().int().min(0) }),
  /** Closes the connection after so many bytes of the body. */
  z.strictObject({ kind: z.literal("cut"), afterBytes: z.number().int().min(0) }),
  /** Sends so many bytes of the body, then nothing, and keeps the connection open. */
  z.strictObject({ kind: z.literal("stall"), afterBytes: z.number().int().min(0).default(0) }),
  /** Closes the connection before any answer. With `handled`, the platform does the work first: the reply is lost. */
  z.strictObject({ kind: z.literal("drop"), handled: z.boolean().default(false) }),
  /** The platform's own shape of a rate limit, by name. */
  z.strictObject({
    kind: z.literal("rate-limit"),
    shape: z.string(),
    /** Seconds, an HTTP date, or absent. */
    retryAfter: z.string().optional(),
    /** Epoch seconds. */
    resetAt: z.number().int().optional(),
  }),
  /** Ends a git stream with an error on band 3 at the first packet after so many bytes. */
  z.strictObject({
    kind: z.literal("band3"),
    afterBytes: z.number().int().min(0),
    message: z.string().default("aborting due to possible repository corruption on the remote side."),
  }),
  /** Answers a git request with an `ERR` line. */
  z.strictObject({ kind: z.literal("err-line"), message: z.string() }),
  /** Flips the last byte of the pack, which belongs to its SHA-1. */
  z.strictObject({ kind: z.literal("wrong-trailer") }),
  /** Adds one to the count of objects that the pack announces. */
  z.strictObject({ kind: z.literal("object-count") }),
  /** Sends the body in drops: so many bytes at a time, with a pause before each. */
  z.strictObject({
    kind: z.literal("drip"),
    bytes: z.number().int().min(1),
    everyMs: z.number().int().min(1),
  }),
  /** A web page with status 200 in place of the answer. */
  z.strictObject({ kind: z.literal("html"), status: z.number().int().default(200) }),
]);

/** Which requests are hit, how often, and by what. */
export const faultSchema = z.strictObject({
  match: z.strictObject({
    method: z.string().optional(),
    /** Regular expression over path and query. */
    path: z.string().refine(isPattern, "is no regular expression").default("."),
  }),
  /** So many matching requests pass unharmed first. */
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
/** What a fault does, parsed. */
export type FaultAction = z.output<typeof actionSchema>;

/** The faults that wait for their requests. */
export type FaultPlan = {
  add(order: FaultOrder): void;
  clear(): void;
  /** The action for this request, counted down; null when it passes. */
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
