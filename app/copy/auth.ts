/** Text of all pages before sign-in (spec part 1 sections 2, 4, 5 and 8). */

/** The message when a failure has none (spec A-444, B-279). */
const SOMETHING_WRONG = "Something went wrong. Please try again later";

export const signInCopy = {
  title: "Sign in",
  about: "Holdfast backs up your work tools every day and proves that you get them back.",
  more: "What it does and costs",
  returning: "You will return to the page you asked for.",
  email: "Email",
  password: "Password",
  showPassword: "Show password",
  hidePassword: "Hide password",
  capsLock: "Caps Lock is on",
  forgot: "Forgot your password",
  remember: "Remember me",
  submit: "Sign in",
  or: "or",
  google: "Continue with Google",
  lastUsed: "Last used",
  enterprise: "Single sign-on",
  okta: "Continue with Okta",
  oktaNote: "Your organisation signs in with Okta.",
  domain: "Company domain",
  domainHint: "For example meridian.com",
  domainSubmit: "Continue",
  domainRequired: "required",
  isNew: "New to Holdfast?",
  signUp: "Sign up",
  and: "and",
  trial: "start your 14-day free trial",
  confirmed: "verification successful",
  failedTitle: "Error",
  failedLink: "Sign up and start your 14-day free trial",
  tryAgain: "Try again",
  unconfirmed: "User is not confirmed",
  unconfirmedHelp: "Open the link in the mail we sent you, or have a new one sent.",
  resend: "Resend verification",
  resent: "link resent",
  limit: (time: string) => `Too many attempts to sign in. You can try again at ${time}`,
  startFailed: "Your account could not be loaded, so you were signed out again. Please sign in once more",
  somethingWrong: SOMETHING_WRONG,
} as const;

export const twoFactorCopy = {
  title: "Two-factor authentication",
  lead: "Enter the six digits that your authenticator app shows now.",
  code: "Code",
  insert: "Insert code!",
  submit: "Authenticate",
  cancel: "Cancel",
  expired: "Login session has expired. Reload and start again.",
  reload: "Reload",
  recoveryLead: "Enter one of the recovery codes that you kept when you switched two-factor on.",
  recoveryCode: "Recovery code",
  toRecovery: "Use a recovery code",
  toAuthenticator: "Use your authenticator",
} as const;

/** Text shared by the forms that create an account. */
export const accountFormCopy = {
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  password: "Password",
  failedTitle: "Error",
  close: "Close",
} as const;

export const newPasswordCopy = {
  rules: "Password rules",
  met: "met",
  open: "not met",
  weak: "invalid password",
  required: "required",
} as const;

export const signUpCopy = {
  title: "Create your account",
  lead: "14 days free, no card.",
  apps: "Apps to protect",
  chooseApp: "Choose at least one app",
  submit: "Get started",
  google: "Sign up with Google",
  agreeStart: "By signing up you agree to the",
  terms: "Terms",
  sla: "SLA",
  agreeAnd: "and the",
  privacy: "Privacy policy",
  known: "Already have an account?",
  signIn: "Sign in",
  done: "Please check your email now for the confirmation link.",
  doneRestricted: "Registration successful. Please login with your email to start protecting your data.",
  doneNext: "You are taken to sign in.",
} as const;

export const protectedAppsCopy = {
  title: "What Holdfast protects",
  chosen: "chosen",
  lead: "A backup every 24 hours, each one kept for 30 days.",
} as const;

export const recoveryCopy = {
  title: "Password recovery",
  steps: ["Your email", "New password"],
  stepLabel: "Steps",
  lead: "We send you a code with which you set a new password.",
  email: "Email",
  send: "Send code",
  sent: "A verification code has been sent to your email.",
  code: "Verification code",
  password: "New password",
  submit: "Change password",
  resend: "Resend code",
  resendIn: (seconds: number) => `Resend code in ${seconds} s`,
  other: "Use another email",
  attention: "Attention",
  close: "Close",
  changed: "Your password was changed",
  remembered: "Remembered it?",
  signIn: "Sign in",
} as const;

export const verifyCopy = {
  title: "Email confirmation",
  busy: "We are confirming your email.",
  failedTitle: "Your email was not confirmed",
  incomplete: "This link is not complete. Please open it from the mail again",
  next: "You are taken to sign in.",
  chooseTitle: "Choose your password",
  chooseLead:
    "The link shows that this email is yours. You signed up in another browser, so please choose your password here.",
  finish: "Confirm and finish",
  signIn: "Sign in",
  resendTitle: "Resend verification",
  resendLead: "We send a new confirmation link to your email.",
  email: "Email",
  resend: "Resend verification",
  resent: "link resent",
  resentHelp: "If an account with this email waits for its confirmation, the link is on its way.",
  somethingWrong: SOMETHING_WRONG,
} as const;

export const inviteCopy = {
  title: "Setup New User",
  lead: "You were invited to Holdfast. Choose a password to join.",
  code: "Confirmation code",
  submit: "Set up my account",
  done: "Your account is ready. Please sign in",
} as const;

export const subscribeCopy = {
  title: "Email reports",
  busy: "We are changing your subscription.",
  changed: "Your subscription was changed.",
  settings: "In your settings you choose which reports you get.",
  toSettings: "Open email settings",
  failed: SOMETHING_WRONG,
  incomplete: "This link is not complete. Please open it from the mail again",
} as const;

export const waitCopy = {
  title: "One moment, please",
  text: "Holdfast is starting. This page continues automatically.",
  go: "Go on now",
} as const;

export const authFooterCopy = {
  copyright: (year: number) => `© ${year} Holdfast`,
  label: "Legal",
  home: "Holdfast, home",
  terms: "Terms",
  privacy: "Privacy",
  sla: "SLA",
} as const;

export const authRibbonLabel = "Thirty days kept, today ringed";
