/** Maximum number of concurrent calls. */
const AT_ONCE = 4;

/** Maps a list with limited concurrency and keeps its order. Rejects with the first failure. */
export async function severalAtOnce<T, Result>(
  list: readonly T[],
  work: (member: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = list.entries();
  async function lane(): Promise<void> {
    for (const [index, member] of waiting) results[index] = await work(member);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
