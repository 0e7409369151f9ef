/**
 * The path to open after sign-in: always one of ours, never another site; `/` when in doubt. Only visible ASCII is
 * allowed, because the path ends up in a header, and the runtime logs headers with other characters.
 */
export function safeNext(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/";
}

/** The sign-in page, which returns to `path` afterwards. */
export function signInPath(path: string): string {
  return path === "/" ? "/auth/login" : `/auth/login?next=${encodeURIComponent(path)}`;
}
