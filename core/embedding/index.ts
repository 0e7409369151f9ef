/**
 * Our site inside a platform: the installations of our app at customers' sites, the one-time codes that open a session in
 * its frame, and the licence that a marketplace sold. Calls of the host are verified before they come here
 * (`connectors/contract/host-app.ts`).
 */

export { connectSite } from "./connect-site.ts";
export { endSilentHosts } from "./end-silent-hosts.ts";
export { exchangeCode } from "./exchange-code.ts";
export { issueCode } from "./issue-code.ts";
export { noteHostCall } from "./note-host-call.ts";
export { noteHostEvent } from "./note-host-event.ts";
