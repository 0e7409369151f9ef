/** The two values of a sealed link in the URL; null when one is missing. */
export function readLink(search: URLSearchParams): { iv: string; content: string } | null {
  const iv = search.get("iv");
  const content = search.get("content");
  return iv && content ? { iv, content } : null;
}
