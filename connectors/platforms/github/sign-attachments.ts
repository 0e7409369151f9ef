import { z } from "zod";
import type { PartsRun } from "#connectors/toolkit/records/run-parts.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-parts.ts";
import type { AttachmentLink } from "./attachment-links.ts";
import { githubClient, paths } from "./client.ts";

/**
 * Addresses that give pictures and videos of a private repository without a sign-in, for a few minutes. GitHub opens
 * attached files to signed-in browsers only; but where it renders a text for somebody who may read the repository, it
 * puts such addresses into it. So the links are rendered as a text, all in one request.
 *
 * @returns the signed addresses by the files' keys; those that GitHub did not sign are missing
 */
export async function signAttachments(
  { session, order }: PartsRun,
  links: readonly AttachmentLink[],
): Promise<Map<string, string>> {
  const { fullName } = order.item;
  const signed = new Map<string, string>();
  const call = {
    method: "POST",
    path: paths.markdown,
    isRepeatable: true,
    missing: "forbidden",
    answer: "html",
    body: { text: links.map(({ url }) => `![](${url})`).join("\n\n"), mode: "gfm", context: fullName },
    about: `the attached files of ${fullName}`,
  } as const;
  try {
    const html = await githubClient(session).request(call, z.string());
    for (const [, source = ""] of html.matchAll(/\ssrc="([^"]+)"/g)) {
      const url = source.replaceAll("&amp;", "&");
      const owner = links.find(({ key }) => url.toLowerCase().includes(key) && url.includes("jwt="));
      if (owner !== undefined) signed.set(owner.key, url);
    }
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  }
  return signed;
}
