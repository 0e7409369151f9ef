/**
 * Whether a page failed because the server could not be reached. Browsers tell it by a TypeError with words of their own:
 * Chromium "Failed to fetch" or "network error", Firefox "NetworkError when …", Safari "Load failed".
 */
export function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|network ?error|load failed/i.test(error.message);
}
