import type { z } from "zod";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import type { Answer } from "./envelope.ts";

/**
 * The path on which a call was made: its platform and item kind. When `isOfOneKind` is false, the path serves every
 * kind of the platform, and `kind` is the first.
 */
export type At = { platform: string; kind: string; isOfOneKind: boolean };

/** One shared operation: its input in our names, and its handler. */
export type PlatformOperation<Input extends z.ZodType = z.ZodType> = {
  summary: string;
  /** A function when the input's field names are the path's item kinds. */
  input: Input | ((kinds: readonly string[]) => Input);
  /** Schema of `result` in a successful answer. */
  result: z.ZodType;
  /** Members beside `result`. */
  beside?: z.ZodObject;
  /** Error codes in addition to those of every call. */
  refuses: readonly ErrorCode[];
  isStateChanging: boolean;
  handle: (services: Services, member: Member, at: At, input: z.output<Input>) => Promise<Answer>;
};

/** Error codes of calls that need view rights on a platform. */
export const USE = ["err.role.forbidden", "err.connection.missing"] as const satisfies readonly ErrorCode[];

/** Error codes of calls that need rights to change something there. */
export const MANAGE = [
  ...USE,
  "err.plan.required",
  "err.connection.unconfirmed",
] as const satisfies readonly ErrorCode[];

/** Error codes of calls that query the platform itself. */
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
