/** Headers with a Set-Cookie for each of the cookies. */
export function cookieHeaders(setCookie: readonly string[]): Headers {
  const headers = new Headers();
  for (const cookie of setCookie) headers.append("Set-Cookie", cookie);
  return headers;
}
