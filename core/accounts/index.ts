/**
 * Identity: sign-up, sign-in, sessions, passwords and second factors. The rest of the product works with members
 * (`core/organisations`) and never sees a password, token or cookie.
 */
export { forgotPassword, resendVerification, writeAccountMail } from "./account-mail.ts";
export { answerChallenge, beginChallenge, needsSecondFactor, readChallenge } from "./challenge.ts";
export { changePassword } from "./change-password.ts";
export { type Confirmation, completeSignUp, confirmEmail } from "./confirm-email.ts";
export { createPerson } from "./create-person.ts";
export type { AccountsDeps } from "./deps.ts";
export { endSessions } from "./end-sessions.ts";
export { beginFederation } from "./federation/begin-federation.ts";
export {
  completeFederation,
  type FederationOutcome,
} from "./federation/complete-federation.ts";
export type { FederationDeps } from "./federation/federation-deps.ts";
export { listSignInProviders, type SignInProvider } from "./federation/providers.ts";
export { findMember, isSessionOver, isUseToNote, readToken } from "./find-member.ts";
export type { Frame } from "./frame.schema.ts";
export { FRAME_MS, formatFrame, readFrame } from "./frame.ts";
export { findLinkedPerson } from "./host-account.store.ts";
export { formatHubHint, readHubHint } from "./hub-hint.ts";
export { keepAppsToProtect } from "./keep-apps-to-protect.ts";
export { countForAddress, countOrRefuse, type Limit, type Refund } from "./limits.ts";
export { createSession, endCarriedSession, type NewSession, rotateSession } from "./new-session.ts";
export { type Passwords, scryptPasswords } from "./passwords.ts";
export { type Proof, proveIdentity } from "./prove-identity.ts";
export { pruneSessions } from "./prune-sessions.ts";
export { confirmPassword } from "./recover-password.ts";
export {
  deleteSession,
  deleteSessionsOfSite,
  organisationOfToken,
  type SignedIn,
  sessionStatement,
  toSignedIn,
  touchSession,
} from "./session.store.ts";
export { type SignInOutcome, signIn } from "./sign-in.ts";
export { signOut } from "./sign-out.ts";
export { signUp } from "./sign-up.ts";
export {
  checkTwoFactor,
  createFactorSecret,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  verifyFactorCode,
} from "./two-factor.ts";
export { updateNames } from "./update-names.ts";
