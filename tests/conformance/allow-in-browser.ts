/**
 * Allows access on a simulated platform's consent page, as the account's owner does in a browser.
 *
 * @returns the query of the redirect address
 */
export async function allowInBrowser(consentUrl: string, login: string): Promise<URLSearchParams> {
  const page = new URL(consentUrl);
  const form = new URLSearchParams([...page.searchParams, ["login", login], ["decision", "authorize"]]);
  const address = `${page.origin}${page.pathname}`;
  const answer = await fetch(address, { method: "POST", body: form, redirect: "manual" });
  await answer.body?.cancel();
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`The consent page answered ${answer.status} and leads nowhere.`);
  return new URL(location).searchParams;
}
