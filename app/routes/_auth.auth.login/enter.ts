import { ApiError, type CallApi } from "#app/api/call-api.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";

/** The page's functions that entering needs. */
export type EnterDeps = {
  call: CallApi;
  /** Writes the marker that tells this browser's tabs that a user is signed in. */
  beginSession: () => void;
  /** Removes the marker. */
  endSession: () => void;
  /** Records that the start information is still missing, and requests it again. */
  oweStartInfo: () => void;
};

export type Entered = { kind: "in" } | { kind: "out"; text: string };

/**
 * Everything between a successful sign-in and the first page, in the order of spec part 1 section 4: mark the session
 * in the browser, record the login, then load the user and the platforms' status in parallel. If the start information
 * fails, the user is signed out, unless the status is 403 (spec A-229 to A-235).
 */
export async function enter({ call, beginSession, endSession, oweStartInfo }: EnterDeps): Promise<Entered> {
  beginSession();
  await settled(call("POST user/user-action", { action: "login" }, { isQuiet: true }));
  const [start] = await Promise.all([
    settled(call("GET user/get-user-start-info", {}, { isQuiet: true })),
    settled(call("GET payments/get-platforms-trial-statuses", {}, { isQuiet: true })),
  ]);
  if (start === null) return { kind: "in" };
  if (start instanceof ApiError && start.status === 403) {
    oweStartInfo();
    return { kind: "in" };
  }
  await settled(call("POST identity/sign-out", {}, { isQuiet: true }));
  endSession();
  return { kind: "out", text: copy.startFailed };
}

/**
 * Returns null on success, otherwise the error. Errors of the login record and the platforms' status are ignored: the
 * server has recorded the login itself, and the first page loads the platforms again.
 */
async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}
