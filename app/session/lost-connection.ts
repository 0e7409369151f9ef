/**
 * True when a page failed because the server could not be reached. Browsers throw a TypeError with different messages:
 * Chromium "Failed to fetch" or "network error", Firefox "NetworkError when …", Safari "Load failed".
 */
export function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|network ?error|load failed/i.test(error.message);
}
