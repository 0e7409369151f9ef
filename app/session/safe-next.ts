/** Where to go after signing in: a path of ours, never another site; `/` when in doubt. */
export function safeNext(next: string | null | undefined): string {
  return next && /^\/(?![/\\])/.test(next) && !/[\r\n\t]/.test(next) ? next : "/";
}

/** The sign-in page that returns to `path` afterwards. */
export function signInPath(path: string): string {
  return path === "/" ? "/auth/login" : `/auth/login?next=${encodeURIComponent(path)}`;
}
