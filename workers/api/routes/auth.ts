import { z } from "zod";
import { signIn, signOut, signUp } from "#core/accounts/index.ts";
import { signInSchema, signUpSchema } from "#core/accounts/password.schema.ts";
import { roleStrings } from "#core/organisations/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";

const tag = "Session";

/** `POST /api/auth/sign-up|sign-in|sign-out`: sessions for API clients; browsers receive the cookie as well. */
export function mountAuth(api: Api): void {
  mountRoute(api, {
    method: "POST",
    path: "/auth/sign-up",
    summary: "Create an account and a session",
    tag,
    input: signUpSchema,
    isPublic: true,
    handle: async (services, _member, input, c) => session(c, await signUp(services, input)),
  });
  mountRoute(api, {
    method: "POST",
    path: "/auth/sign-in",
    summary: "Open a session",
    tag,
    input: signInSchema,
    isPublic: true,
    handle: async (services, _member, input, c) => session(c, await signIn(services, input)),
  });
  mountRoute(api, {
    method: "POST",
    path: "/auth/sign-out",
    summary: "End the session",
    tag,
    input: z.strictObject({}),
    isPublic: true,
    handle: async (services, _member, _input, c) => {
      const { setCookie } = await signOut(services, c.req.raw.headers);
      for (const value of setCookie) c.header("Set-Cookie", value, { append: true });
      return { result: null };
    },
  });
}

type Answering = { header: (name: string, value: string, options: { append: boolean }) => void };

function session(c: Answering, opened: Awaited<ReturnType<typeof signIn>>) {
  for (const value of opened.setCookie) c.header("Set-Cookie", value, { append: true });
  const { userId, name, email, organisationId, role } = opened.member;
  return {
    result: {
      token: opened.token,
      expiresAt: opened.session.expiresAt,
      user: { sub: userId, name, email, organisationId, role, roles: roleStrings(opened.member) },
    },
  };
}
