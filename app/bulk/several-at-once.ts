/** Maximum number of concurrent calls. */
const AT_ONCE = 4;

/** Maps a list with limited concurrency and keeps its order. Rejects with the first failure, and then starts no more. */
export async function severalAtOnce<T, Result>(
  list: readonly T[],
  work: (member: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = list.entries();
  let hasFailed = false;
  async function lane(): Promise<void> {
    for (const [index, member] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(member);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
