import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import type { Member } from "#core/organisations/member.ts";
import { signInPath } from "./safe-next.ts";

/** The signed-in member. @throws a redirect to the sign-in page, which returns here (spec A-071) */
export function requireMember(context: AppLoadContext, request: Request): Member {
  if (context.member) return context.member;
  const { pathname, search } = new URL(request.url);
  throw redirect(signInPath(request.method === "GET" ? pathname + search : pathname));
}
