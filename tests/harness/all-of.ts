/** Collects everything that an iterable yields. Only for tests: the product reads one member at a time. */
export async function allOf<T>(members: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const member of members) all.push(member);
  return all;
}
