import { expect, test } from "vitest";
import { errorText, isDoneAllTheSame, isSessionOver } from "./error-text.ts";

test("[A-441] the trailing period of an error is removed, others stay", () => {
  expect(errorText("Oops.")).toBe("Oops");
  expect(errorText("Login session has expired. Reload and start again.")).toBe(
    "Login session has expired. Reload and start again",
  );
  expect(errorText("No period here")).toBe("No period here");
});

test("[A-414] other messages are shown unchanged", () => {
  expect(errorText("Some text")).toBe("Some text");
});

test("[A-415] [A-416] [A-417] [A-418] the two-factor messages become advice", () => {
  const invalid = "Code is invalid, please check your authenticator";
  expect(errorText("Code mismatch")).toBe(invalid);
  expect(errorText("Invalid code received for user")).toBe(invalid);
  expect(errorText("Invalid session for the user, session is expired.")).toBe(
    "Code has expired, please check your authenticator",
  );
  expect(errorText("Your software token has already been used once")).toBe(
    "Please wait for your app to refresh a new code",
  );
});

test("[A-442] [A-443] the two verification messages become plain sentences", () => {
  expect(errorText("User email verification check failed")).toBe(
    "If this email has an account, you will now be sent a recovery link to your inbox",
  );
  expect(errorText("SignUp verification failed.")).toBe("This verification link has already been used");
});

test("the response that only looks like a failure is recognised, and no other", () => {
  expect(isDoneAllTheSame("Invalid lambda function output")).toBe(true);
  expect(isDoneAllTheSame("Invalid lambda function output.")).toBe(true);
  expect(isDoneAllTheSame("Invalid lambda function")).toBe(false);
});

test("the messages that end a session are recognised", () => {
  expect(isSessionOver("The incoming token has expired")).toBe(true);
  expect(isSessionOver("The user is not authenticated.")).toBe(true);
  expect(isSessionOver("User is not confirmed")).toBe(false);
});
