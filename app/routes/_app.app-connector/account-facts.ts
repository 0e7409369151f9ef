import { typeWord } from "#app/accounts/type-word.ts";
import { regionNames } from "#app/copy/regions.ts";
import { capitalised } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { ConnectorAccount } from "./queries.server.ts";

/** What an account is, the workspace that it opens where it is a person's, and where its backups live. */
export function accountFacts(
  platform: string,
  { accountType, workspace, region }: Pick<ConnectorAccount, "accountType" | "workspace" | "region">,
): string {
  const opens = workspace === null ? [] : [visibleName(workspace)];
  return [capitalised(typeWord(platform, accountType)), ...opens, regionNames[region]].join(" · ");
}
