import { useState } from "react";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import type { RestoreTargets } from "./restore-calls.ts";
import { targetsQuery } from "./restore-queries.ts";

/** Possible targets of a restore. The previous ones stay visible during a search. */
export type TargetsState = {
  targets: RestoreTargets | null;
  failure: string | null;
  search: string;
  setSearch: (text: string) => void;
};

/** The possible targets of a restore of this item; null = fetches nothing. */
export function useRestoreTargets(itemId: string | null): TargetsState {
  const [search, setSearch] = useState("");
  const { data, error } = useLastingQuery(targetsQuery(itemId, search === "" ? null : search));
  return { targets: data ?? null, failure: error?.message ?? null, search, setSearch };
}
