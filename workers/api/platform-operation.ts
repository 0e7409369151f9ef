import type { z } from "zod";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import type { Answer } from "./envelope.ts";

/**
 * Where a call was made: on which platform's path, for which item kind. `isOfOneKind` false: the path serves every kind
 * of the platform, and `kind` is its first.
 */
export type At = { platform: string; kind: string; isOfOneKind: boolean };

/** One shared operation: what it accepts in our names, and how it is carried out. */
export type PlatformOperation<Input extends z.ZodType = z.ZodType> = {
  summary: string;
  /** As a function where the item kinds that the path speaks of are names of its input. */
  input: Input | ((kinds: readonly string[]) => Input);
  /** What `result` holds in a good answer. */
  result: z.ZodType;
  /** Members beside `result`. */
  beside?: z.ZodObject;
  /** Refusals besides those that every call may give. */
  refuses: readonly ErrorCode[];
  isStateChanging: boolean;
  handle: (services: Services, member: Member, at: At, input: z.output<Input>) => Promise<Answer>;
};

/** Refusals of who may only look at a platform. */
export const USE = ["err.role.forbidden", "err.connection.missing"] as const satisfies readonly ErrorCode[];

/** Refusals of who wants to change something there. */
export const MANAGE = [
  ...USE,
  "err.plan.required",
  "err.connection.unconfirmed",
] as const satisfies readonly ErrorCode[];

/** How a question to the platform itself may end. */
export const ASKS_PLATFORM = [
  "err.not.found",
  "err.connection.unauthorized",
  "err.app.missing",
  "err.platform.limited",
  "err.platform.unavailable",
] as const satisfies readonly ErrorCode[];

/** Binds the input's type to the handler's. */
export const operation = <Input extends z.ZodType>(each: PlatformOperation<Input>) =>
  each as unknown as PlatformOperation;
