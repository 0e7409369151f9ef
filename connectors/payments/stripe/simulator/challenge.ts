import { followAttempt } from "./collect.ts";
import { refused } from "./errors.ts";
import { endPaymentChallenge } from "./intents.ts";
import { endSetupChallenge } from "./setup-intents.ts";
import type { StripeWorld } from "./state.ts";
import { all, find } from "./store.ts";
import type { PaymentIntent, SetupIntent } from "./things/payments.ts";

/**
 * Ends the holder's challenge of an intent, by its id or its client secret, as the page of the card's bank does.
 * @throws StripeFault when the intent waits for none
 */
export function endChallenge(
  world: StripeWorld,
  key: string,
  isPassed: boolean,
): PaymentIntent | SetupIntent {
  const id = key.split("_secret_")[0] ?? "";
  const payment = find(world, "payment_intent", id);
  const setup = find(world, "setup_intent", id);
  const intent = payment ?? setup;
  const isSecretWrong = key.includes("_secret_") && intent?.client_secret !== key;
  if (intent === null || isSecretWrong)
    throw refused(`There is no intent ${id}.`, { code: "resource_missing" });
  if (intent.status !== "requires_action") throw refused(`The status of ${id} is ${intent.status}.`);
  if (payment) followAttempt(world, payment, endPaymentChallenge(world, payment, isPassed));
  else if (setup) endSetupChallenge(world, setup, isPassed);
  return intent;
}

/** The intents that wait for their holder. */
export function openChallenges(world: StripeWorld): string[] {
  return [...all(world, "payment_intent"), ...all(world, "setup_intent")]
    .filter(({ status }) => status === "requires_action")
    .map(({ id }) => id);
}
