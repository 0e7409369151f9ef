import "@remix-run/cloudflare";
import type { Member } from "#core/organisations/member.ts";
import type { Services } from "#workers/services.ts";

/** The context that the Worker passes to every loader and action. */
declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    services: Services;
    /** Null when nobody is signed in. */
    member: Member | null;
    /** The nonce for this response's Content-Security-Policy. */
    nonce: string;
    requestId: string;
  }
}
