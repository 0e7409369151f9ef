/** Sentences of the sign-in and sign-up pages. */
export const signInCopy = {
  title: "Sign in",
  returning: "You will return to the page you asked for.",
  email: "Email",
  password: "Password",
  showPassword: "Show password",
  hidePassword: "Hide password",
  remember: "Remember me",
  submit: "Sign in",
  isNew: "New to Holdfast?",
  signUp: "Sign up",
  and: "and",
  trial: "start your 14-day free trial",
  confirmed: "verification successful",
  failedTitle: "Error",
  failedLink: "Sign up and start your 14-day free trial",
  tryAgain: "Try again",
} as const;

export const signUpCopy = {
  title: "Create your account",
  lead: "14 days free, no card.",
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  password: "Password",
  rules: "Password rules",
  met: "met",
  open: "not met",
  submit: "Get started",
  known: "Already have an account?",
  signIn: "Sign in",
} as const;

export const authFooterCopy = (year: number) => `© ${year} Holdfast`;

export const authRibbonLabel = "Thirty days kept, today ringed";
