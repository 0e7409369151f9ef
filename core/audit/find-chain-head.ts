import type { ControlDatabase } from "#core/database/ledgers.ts";
import { findHead } from "./chain.store.ts";

/** The hash of the chain's last link, for people to note down; null = the chain is empty. */
export async function findChainHead(deps: { control: ControlDatabase }): Promise<string | null> {
  return (await findHead(deps.control))?.hash ?? null;
}
