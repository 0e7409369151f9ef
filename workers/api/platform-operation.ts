import type { z } from "zod";
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
  isStateChanging: boolean;
  handle: (services: Services, member: Member, at: At, input: z.output<Input>) => Promise<Answer>;
};

/** Binds the input's type to the handler's. */
export const operation = <Input extends z.ZodType>(each: PlatformOperation<Input>) =>
  each as unknown as PlatformOperation;
