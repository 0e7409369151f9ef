/**
 * Runs `work` with a signal that aborts it after `ms` milliseconds, and removes the timer when it ends. The timer of
 * `AbortSignal.timeout` stays until it fires, with all that the signal holds: workerd throws when an invocation has
 * 10,000 timers, which a platform that answers fast reaches within a minute.
 */
export async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException(`It took longer than ${ms} ms.`, "TimeoutError")),
    ms,
  );
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
