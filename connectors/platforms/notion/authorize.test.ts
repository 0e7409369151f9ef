import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { authoriser, configSchema, detailsSchema } from "./authorize.ts";
import { rowFacts } from "./row-facts.ts";

const config = configSchema.parse({ NOTION_CLIENT_ID: "client", NOTION_CLIENT_SECRET: "secret" });
const botId = "7775f3a3-893f-43fa-b625-460c61094c78";
const workspaceId = "231674b6-2cc1-46bc-b742-c5c9fe4b9c73";
const person = {
  ...{ object: "user", id: "a4f789cc-7bc8-4cf0-82b9-a8ba7d985ecf", type: "person", name: "Nora Lind" },
  person: { email: "nora@meridian.example" },
};
const granted = {
  ...{ access_token: "ntn_1", token_type: "bearer", refresh_token: "nrt_1", bot_id: botId },
  ...{ workspace_id: workspaceId, workspace_name: "Meridian", workspace_icon: "🚚" },
  owner: { type: "user", user: person },
  duplicated_template_id: null,
};

function ioWith(answer: () => Response) {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const fetch = async (url: string, init?: RequestInit) => {
    sent.push({ url, init });
    return answer();
  };
  return { io: { config, fetch, clock: { now: () => 5 } }, sent };
}
const answer = {
  authMethod: "default",
  code: "c",
  codeVerifier: "v",
  redirectUri: "https://us.example/back",
};

test("the consent page is Notion's, with the redirect and the state", () => {
  const url = new URL(
    authoriser.consentUrl(config, {
      ...{ authMethod: "default", state: "s", codeChallenge: "x", redirectUri: "https://us.example/back" },
    }),
  );
  expect(url.origin + url.pathname).toBe("https://api.notion.com/v1/oauth/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ client_id: "client", response_type: "code", owner: "user", state: "s" },
    redirect_uri: "https://us.example/back",
  });
});

test("a code gives an account: the bot of a person in a workspace", async () => {
  const { io, sent } = ioWith(() => Response.json(granted));
  const authorised = await authoriser.exchange(io, answer);
  expect(authorised).toMatchObject({
    grant: {
      ...{ accessToken: "ntn_1", accessTokenExpiresAt: null, refreshToken: "nrt_1" },
      account: { externalId: botId, name: "Nora Lind", type: "user" },
    },
  });
  const [{ url, init }] = sent as [(typeof sent)[number]];
  expect(url).toBe("https://api.notion.com/v1/oauth/token");
  expect(new Headers(init?.headers).get("authorization")).toBe(`Basic ${btoa("client:secret")}`);
  const redirect = "https://us.example/back";
  expect(JSON.parse(String(init?.body))).toEqual({
    ...{ grant_type: "authorization_code", code: "c", redirect_uri: redirect },
  });
});

test("an owner without name or e-mail address, and a workspace without name, have some", async () => {
  const unknown = { ...granted, workspace_name: null, workspace_icon: null };
  for (const owner of [
    { type: "user", user: { object: "user", id: person.id } },
    { type: "workspace", workspace: true },
  ]) {
    const { io } = ioWith(() => Response.json({ ...unknown, owner }));
    const authorised = await authoriser.exchange(io, answer);
    if (authorised.kind !== "granted") throw new Error("no grant");
    expect(authorised.grant.account.name).toBe("Notion workspace");
    expect(detailsSchema.parse(authorised.grant.details)).toMatchObject({ email: null, grantedAt: 5 });
  }
});

test("a refused grant must be given again, and trouble with our settings passes", async () => {
  for (const [body, kind] of [
    [{ error: "invalid_grant", error_description: "The code is no longer valid." }, "unauthorized"],
    [{ object: "error", code: "validation_error", message: "Invalid code: it has expired." }, "unauthorized"],
    [{ error: "invalid_client" }, "unavailable"],
    [{ error: "invalid_request", error_description: "Invalid redirect URI." }, "unavailable"],
  ] as const) {
    const { io } = ioWith(() => Response.json(body, { status: body === undefined ? 200 : 400 }));
    const error = await failureOf(authoriser.exchange(io, answer));
    expect(error.kind, JSON.stringify(body)).toBe(kind);
    expect(error.message).not.toContain("secret");
  }
  const slow = ioWith(() => Response.json({}, { status: 403, headers: { "retry-after": "5" } }));
  expect((await failureOf(authoriser.exchange(slow.io, answer))).kind).toBe("rate-limited");
  const { io } = ioWith(() => Response.json({ error: "invalid_grant" }, { status: 400 }));
  expect((await failureOf(authoriser.refresh(io, "old", "default"))).kind).toBe("unauthorized");
});

test("members of an owner's row never fail", () => {
  const subject = {
    ...{ id: "con_1", name: "Nora Lind", type: "user", grantName: "Nora Lind" },
    ...{ authMethods: [], isAppMissing: false },
  };
  for (const details of [null, {}, { email: 7 }] as Json[])
    expect(rowFacts.account.schema.safeParse(rowFacts.account.of({ ...subject, details })).success).toBe(
      true,
    );
});
