/** Longest path that is remembered. */
const MAX_LENGTH = 1000;

/**
 * Where to go after signing in: a page of ours, never another site, and never a call; `/` when in doubt.
 * @param publicUrl where people reach the app
 */
export function safeNext(publicUrl: string, next: string | null | undefined): string {
  if (!next || next.length > MAX_LENGTH || !/^\/[\x21-\x7e]*$/.test(next) || /^\/[/\\]/.test(next))
    return "/";
  const base = new URL(publicUrl);
  if (!URL.canParse(next, base)) return "/";
  const { origin, pathname, search, hash } = new URL(next, base);
  // Dots and backslashes may have moved; what counts is what a browser would open.
  const isPage = origin === base.origin && !/^\/(\/|identity\/|api\/)/.test(pathname);
  return isPage ? `${pathname}${search}${hash}` : "/";
}
