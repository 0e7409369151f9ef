import { useRevalidator } from "@remix-run/react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { ApiError, type ApiLine, callApi, type InputOf, type ResultOf } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { settingsCopy as copy } from "#app/copy/settings.ts";
import { failureRule } from "#app/session/failure-rule.ts";
import { leave } from "#app/session/leave.ts";
import { FailureDialog } from "./failure-dialog.tsx";
import type { Me } from "./wire-types.ts";

/** Which rights can be granted on a platform (spec ). */
export type PlatformFacts = {
  id: string;
  /** Has the Pro plan or a running trial. */
  isPaid: boolean;
  isConnected: boolean;
};

type Settings = {
  me: Me;
  platforms: readonly PlatformFacts[];
  /** Reads for a query. A failure is shown in the error dialog, and thrown. */
  read: Read;
  /** Calls the server. Returns null after a failure, which the error dialog has shown (spec A-447). */
  ask: Ask;
  /** Reloads the profile, here and in the frame around the page (spec A-278). */
  refreshMe: () => Promise<void>;
  /** Updates the profile with data from an answer. */
  patchMe: (change: Partial<Me>) => void;
};

/** `callApi` with the settings' own error handling: one dialog for all failures, no popup. */
export type Ask = <Line extends ApiLine>(
  line: Line,
  input: InputOf<Line>,
) => Promise<{ result: ResultOf<Line> } | null>;

type Read = <Line extends ApiLine>(line: Line, input: InputOf<Line>) => Promise<ResultOf<Line>>;

const Context = createContext<Settings | null>(null);

export function useSettings(): Settings {
  const settings = useContext(Context);
  if (!settings) throw new Error("useSettings is for the panels of the settings");
  return settings;
}

/** Provides the profile while the settings are open, and shows all failures in one dialog. */
export function SettingsProvider({
  me: loaded,
  platforms,
  children,
}: {
  me: Me;
  platforms: readonly PlatformFacts[];
  children: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const [me, setMe] = useState(loaded);
  const [failure, setFailure] = useState<string | null>(null);
  const read = useCallback<Read>(async (line, input) => {
    try {
      return (await callApi(line, input, { isQuiet: true })).result;
    } catch (error) {
      const rule = error instanceof ApiError ? failureRule(error) : null;
      if (rule?.kind === "leave") void leave("refused", rule.notice);
      else setFailure(failureText(error));
      throw error;
    }
  }, []);
  const ask = useCallback<Ask>(
    (line, input) =>
      read(line, input).then(
        (result) => ({ result }),
        () => null,
      ),
    [read],
  );
  const refreshMe = useCallback(async () => {
    const answer = await ask("GET user/get-user-start-info", {});
    if (answer) setMe(answer.result);
    revalidate();
  }, [ask, revalidate]);
  const patchMe = useCallback((change: Partial<Me>) => setMe((now) => ({ ...now, ...change })), []);
  const settings = useMemo(
    () => ({ me, platforms, read, ask, refreshMe, patchMe }),
    [me, platforms, read, ask, refreshMe, patchMe],
  );
  return (
    <Context.Provider value={settings}>
      {children}
      <FailureDialog text={failure} onClose={() => setFailure(null)} />
    </Context.Provider>
  );
}

function failureText(error: unknown): string {
  return error instanceof ApiError ? errorText(error.message) : copy.unexpected;
}
