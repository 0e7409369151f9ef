/**
 * Where to go after signing in: a path of ours, never another site; `/` when in doubt. An address has visible ASCII alone,
 * and so has the header that leads there: the runtime writes any other into its log.
 */
export function safeNext(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/";
}

/** The sign-in page that returns to `path` afterwards. */
export function signInPath(path: string): string {
  return path === "/" ? "/auth/login" : `/auth/login?next=${encodeURIComponent(path)}`;
}
