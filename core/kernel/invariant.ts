/** Thrown for a bug in the program. Logged as an error and answered with 500. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/** Throws when the condition is false. Assertions stay on in production. @throws InvariantError */
export function invariant(condition: unknown, whyItCannotBe: string): asserts condition {
  if (!condition) throw new InvariantError(whyItCannotBe);
}
