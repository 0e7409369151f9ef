/** Text of the contact page (spec part 3). */
export const contactCopy = {
  title: "Contact us",
  lead: "We answer by e-mail to the address you give.",
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  email: "Email",
  question: "Question",
  counter: (length: number, max: number) => `${length} of ${max}`,
  submit: "Send",
  incomplete: "Fill in every field",
  sent: "Your request was successfully sent!",
  failed: "Unfortunately, your request wasn't sent. Please try again later",
  signIn: "Back to sign in",
} as const;

/** Messages for the form's validation rules. */
export const contactErrors: Readonly<Record<string, string>> = {
  required: "Required",
  max_length50: "At most 50 characters",
  max_length1000: "At most 1000 characters",
  "Min length is 2": "At least 2 characters",
  "holds characters that are not allowed": "Holds characters that are not allowed",
};
