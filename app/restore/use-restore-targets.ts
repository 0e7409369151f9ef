import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { fetchTargets, type RestoreTargets } from "./restore-calls.ts";

/** Possible targets of a restore. The previous ones stay visible during a search. */
export type TargetsState = {
  targets: RestoreTargets | null;
  failure: string | null;
  search: string;
  setSearch: (text: string) => void;
};

/** Fetches the possible targets of a restore of this item; null = fetches nothing. */
export function useRestoreTargets(itemId: string | null): TargetsState {
  const [targets, setTargets] = useState<RestoreTargets | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  useEffect(() => {
    if (itemId === null) return;
    const abort = new AbortController();
    fetchTargets({ itemId, name: search === "" ? null : search, signal: abort.signal }).then(
      (found) => {
        setTargets(found);
        setFailure(null);
      },
      (error: unknown) => {
        if (error instanceof ApiError) setFailure(error.message);
      },
    );
    return () => abort.abort();
  }, [itemId, search]);
  return { targets, failure, search, setSearch };
}
