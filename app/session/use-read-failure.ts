import { useEffect } from "react";
import type { ApiError } from "#app/api/transport.ts";
import { notify } from "#app/components/toasts.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";

/**
 * Reports that what a page shows could not be read again. When the session has ended, the loader is run: it redirects to
 * sign-in and back.
 */
export function useReadFailure(error: ApiError | null): void {
  const refresh = useRefresh();
  useEffect(() => {
    if (error === null) return;
    if (error.code === "err.session.missing") refresh();
    else notify(error.message, { tone: "bad" });
  }, [error, refresh]);
}
