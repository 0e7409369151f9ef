import { ApiError, type callApi } from "#app/api/call-api.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";

/** What entering needs of the page. */
export type EnterDeps = {
  call: typeof callApi;
  /** Writes the marker by which this browser's tabs know that somebody is signed in. */
  beginSession: () => void;
  /** Takes it away again. */
  endSession: () => void;
  /** Remembers that the start information is still owed, and has it asked for again. */
  oweStartInfo: () => void;
};

export type Entered = { kind: "in" } | { kind: "out"; text: string };

/**
 * Everything between an accepted sign-in and the first page, in the order of spec part 1 section 4: the session is
 * marked in the browser, the login is recorded, then the person and the state of the platforms are loaded together.
 * Without the start information nobody stays signed in, unless it was refused with 403 (spec ).
 */
export async function enter({ call, beginSession, endSession, oweStartInfo }: EnterDeps): Promise<Entered> {
  beginSession();
  await settled(call("user/user-action", { method: "POST", body: { action: "login" }, isQuiet: true }));
  const [start] = await Promise.all([
    settled(call("user/get-user-start-info", { isQuiet: true })),
    settled(call("payments/get-platforms-trial-statuses", { isQuiet: true })),
  ]);
  if (start === null) return { kind: "in" };
  if (start instanceof ApiError && start.status === 403) {
    oweStartInfo();
    return { kind: "in" };
  }
  await settled(call("identity/sign-out", { method: "POST", body: {}, isQuiet: true }));
  endSession();
  return { kind: "out", text: copy.startFailed };
}

/**
 * Null for a call that succeeded, otherwise what it failed with. The server has recorded the login itself, and the
 * first page asks for the platforms again: their loss keeps nobody out.
 */
async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}
