import { z } from "zod";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { githubClient, paths } from "../client.ts";
import type { AttachmentLink } from "./attachment-links.ts";

/**
 * Gets URLs that return pictures and videos of a private repository without signing in, for a few minutes. GitHub opens
 * attached files only to signed-in browsers. But when it renders a text for someone who may read the repository, it
 * inserts such URLs. All links are therefore rendered as one text, in one request.
 *
 * @returns the signed URLs by `key`; those that GitHub did not sign are missing
 */
export async function signAttachments(
  { session, order }: StagesRun,
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
