import "@remix-run/cloudflare";
import type { Member } from "#core/organisations/member.ts";
import type { Services } from "#workers/services.ts";

/** What the Worker hands every loader and action. */
declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    services: Services;
    /** Null = nobody is signed in. */
    member: Member | null;
    /** For the Content-Security-Policy of this answer. */
    nonce: string;
    requestId: string;
  }
}
