import { z } from "zod";
import type { AuthorisationIo, Grant, PlatformAuthoriser } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { refusedTrade } from "#connectors/toolkit/oauth.ts";
import { consentPage, notionDesk, paths } from "./client.ts";
import { tokenSchema } from "./payloads.ts";

const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/** Notion's environment variables: a public connection of the kind that any workspace can use. */
export const configSchema = z.object({
  NOTION_API_URL: url.default("https://api.notion.com"),
  NOTION_URL: url.default("https://app.notion.com"),
  NOTION_CLIENT_ID: z.string().default(""),
  NOTION_CLIENT_SECRET: z.string().default(""),
  /** What Notion signs its deliveries with; empty = the webhook is not set up. */
  NOTION_WEBHOOK_TOKEN: z.string().default(""),
});

/** What is stored with a connection: the person who gave the grant, and the workspace. */
export const detailsSchema = z.object({
  workspaceId: z.string(),
  workspaceName: z.string(),
  /** An address or an emoji; null = none. */
  workspaceIcon: z.string().nullable(),
  /** Null = the workspace owns the connection, not a person. */
  personId: z.string().nullable(),
  fullName: z.string().nullable(),
  /** Null = the connection may not know it. */
  email: z.string().nullable(),
  ownerType: z.string(),
  /** When the owner last picked pages, in epoch ms: other pages may be covered since. */
  grantedAt: z.number(),
});
export type NotionDetails = z.output<typeof detailsSchema>;

/**
 * OAuth 2.0 on Notion's consent page, where the owner picks the pages that are covered. Every grant has a bot of its own
 * in the workspace. Notion names no lifetime of a token: it is renewed when Notion no longer accepts it.
 */
export const authoriser: PlatformAuthoriser = {
  consentUrl(config, { state, redirectUri }) {
    const query = new URLSearchParams({
      client_id: config.NOTION_CLIENT_ID ?? "",
      response_type: "code",
      owner: "user",
      redirect_uri: redirectUri,
      state,
    });
    return `${consentPage(config)}?${query}`;
  },

  async exchange(io, { code, redirectUri }) {
    const answer = await trade(io, { grant_type: "authorization_code", code, redirect_uri: redirectUri });
    return { kind: "granted", grant: grantOf(answer, io.clock.now()) };
  },

  async refresh(io, refreshToken) {
    const answer = await trade(io, { grant_type: "refresh_token", refresh_token: refreshToken });
    return tokensOf(answer);
  },
};

type TokenAnswer = z.output<typeof tokenSchema>;

const tokensOf = ({ access_token, refresh_token }: TokenAnswer) => ({
  accessToken: access_token,
  accessTokenExpiresAt: null,
  refreshToken: refresh_token,
});

function grantOf(answer: TokenAnswer, grantedAt: number): Grant {
  const { owner, bot_id, workspace_id, workspace_icon } = answer;
  const workspaceName = answer.workspace_name || "Notion workspace";
  const fullName = owner.user?.name ?? null;
  const email = owner.user?.person?.email ?? null;
  const details: NotionDetails = {
    workspaceId: workspace_id,
    workspaceName,
    workspaceIcon: workspace_icon,
    personId: owner.user?.id ?? null,
    fullName,
    email,
    ownerType: owner.type,
    grantedAt,
  };
  return {
    ...tokensOf(answer),
    account: { externalId: bot_id, name: fullName ?? email ?? workspaceName, type: owner.type },
    details,
  };
}

/** Messages that refuse the grant, which its owner can renew, and not messages about our application. */
const REFUSED_GRANT = /invalid_grant|(?:code|token)[^.]{0,80}(?:expired|invalid|revoked|used)/i;

/** Sends a token request. Never retries it, because codes and refresh tokens work once. */
async function trade(io: AuthorisationIo, body: Record<string, string>): Promise<TokenAnswer> {
  const { accessToken, ...desk } = notionDesk(io.config);
  const http = createHttpClient({ fetch: io.fetch, clock: io.clock, accessToken }, desk);
  const call = { method: "POST", path: paths.token, body, about: "the authorisation" } as const;
  return await http.request(call, tokenSchema).catch((error: unknown) => {
    throw refusedTrade({ site: desk, refusedGrant: REFUSED_GRANT }, error);
  });
}
