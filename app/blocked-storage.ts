/**
 * An inline script that replaces a storage which the browser blocks with one that lasts as long as the page. Browsers
 * that keep sites apart throw at `localStorage` and `sessionStorage` in a frame of another site (Jira shows our pages in
 * one), and the router reads them without a guard, so it must run before every other script.
 */
export const REPLACE_BLOCKED_STORAGE = `for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name];
  } catch {
    const values = new Map();
    const value = {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, text) => void values.set(key, String(text)),
      removeItem: (key) => void values.delete(key),
      clear: () => values.clear(),
    };
    Object.defineProperty(window, name, { value, configurable: true });
  }
}`;
