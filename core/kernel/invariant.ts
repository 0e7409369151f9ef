/** Thrown when the program itself is wrong: logged as an error and answered with 500. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/** Halts when something that cannot be is; assertions stay on in production. @throws InvariantError */
export function invariant(condition: unknown, whyItCannotBe: string): asserts condition {
  if (!condition) throw new InvariantError(whyItCannotBe);
}
