/** Longest path accepted. */
const MAX_LENGTH = 1000;

/**
 * The path to open after sign-in: a page of the app, never another site or an API route. Returns `/` when in doubt.
 * @param publicUrl the app's public URL
 */
export function safeNext(publicUrl: string, next: string | null | undefined): string {
  if (!next || next.length > MAX_LENGTH || !/^\/[\x21-\x7e]*$/.test(next) || /^\/[/\\]/.test(next))
    return "/";
  const base = new URL(publicUrl);
  if (!URL.canParse(next, base)) return "/";
  const { origin, pathname, search, hash } = new URL(next, base);
  // Parsing resolves dots and backslashes. Check the URL that a browser would open.
  const isPage = origin === base.origin && !/^\/(\/|identity\/|api\/)/.test(pathname);
  return isPage ? `${pathname}${search}${hash}` : "/";
}
