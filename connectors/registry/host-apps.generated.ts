// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { HostApp } from "#connectors/contract/host-app.ts";
import { hostApp as jira } from "#connectors/platforms/jira/host-app.ts";

/** Our apps inside platforms. Server code. */
export const hostApps: readonly HostApp[] = [jira];
