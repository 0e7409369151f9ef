import { AppError } from "#core/kernel/app-error.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { queueMail } from "#core/mail/index.ts";
import { createPerson } from "../create-person.ts";
import { personNameSchema } from "../password.schema.ts";
import type { Claims } from "./claims.schema.ts";
import {
  findIdentityOwner,
  findPersonByEmail,
  type Identity,
  insertIdentity,
  isInvited,
  type PersonOfEmail,
} from "./federation.store.ts";
import type { FederationDeps } from "./federation-deps.ts";
import { PROVIDER_LABELS, type ProviderSetup } from "./providers.ts";
import { type EmailTrust, trustEmail } from "./trust-email.ts";

type Arrival = { setup: ProviderSetup; claims: Claims };

/**
 * The person who has this identity (issuer and subject). An identity seen for the first time is matched by e-mail
 * address, as far as the provider is trusted for it, to an existing person or a new one.
 * @throws AppError `err.federation.unverified`, `err.federation.email`, `err.federation.invited`
 */
export async function findOrCreatePerson(
  deps: Pick<FederationDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  arrival: Arrival,
): Promise<{ userId: string }> {
  try {
    return await resolve(deps, arrival);
  } catch (cause) {
    // A simultaneous sign-in of the same person created the account.
    if (cause instanceof AppError && cause.code === "err.email.taken") return resolve(deps, arrival);
    throw cause;
  }
}

async function resolve(
  deps: Pick<FederationDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  { setup, claims }: Arrival,
): Promise<{ userId: string }> {
  const { email } = claims;
  const identity = identityOf(setup, claims);
  // Read the person first: if a simultaneous sign-in links the identity in between, `findIdentityOwner` still finds it.
  const known = email === undefined ? null : await findPersonByEmail(deps.control, email);
  const owner = await findIdentityOwner(deps.control, identity);
  if (owner !== null) return { userId: owner };
  const refuse = (code: "err.federation.unverified" | "err.federation.email" | "err.federation.invited") =>
    new AppError(code, { details: { provider: setup.provider } });
  const trust = trustEmail(setup, claims);
  if (email === undefined || trust === "none") throw refuse("err.federation.unverified");
  if (known && !mayJoin(known, setup, trust)) throw refuse("err.federation.email");
  if (!known && (await isInvited(deps.control, { email, now: deps.clock.now() }))) {
    throw refuse("err.federation.invited");
  }
  const { userId } = known ?? (await create(deps, email, claims));
  const id = `federated-${await sha256Hex(`${identity.providerId} ${identity.accountId}`)}`;
  const linking = insertIdentity(deps.control, { ...identity, id, userId, now: deps.clock.now() });
  // Without another sign-in method, this sign-in began the account, so there is nobody to notify.
  if (known && known.providerIds.length > 0) await linkAndMail(deps, { linking, id, email, known, setup });
  else await linking;
  return { userId: (await findIdentityOwner(deps.control, identity)) ?? userId };
}

/** Links the identity to an existing account, and notifies its person by e-mail of the new sign-in method. */
async function linkAndMail(
  deps: Pick<FederationDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  link: {
    linking: ReturnType<typeof insertIdentity>;
    id: string;
    email: string;
    known: PersonOfEmail;
    setup: ProviderSetup;
  },
): Promise<void> {
  const { statement, job } = await queueMail(deps, {
    occasion: `identity-linked:${link.id}`,
    organisationId: link.known.organisationId,
    recipient: link.email,
    message: "identity-linked",
    data: {
      providerLabel: PROVIDER_LABELS[link.setup.provider],
      linkedAt: deps.clock.now(),
      timeZone: link.known.timeZone ?? "UTC",
      recoverUrl: `${deps.settings.PUBLIC_URL}/auth/password-recovery`,
    },
  });
  await deps.control.batch([link.linking, statement]);
  await deps.queue.send([job]);
}

/**
 * Whether a new identity may be linked to an existing account. A second subject of the same provider may not, because
 * companies reassign the address of someone who left.
 */
function mayJoin(known: PersonOfEmail, setup: ProviderSetup, trust: EmailTrust): boolean {
  if (!known.isEmailVerified || known.providerIds.includes(setup.provider)) return false;
  // An earlier sign-in failed before its identity was linked. Without a sign-in method, the account is nobody else's.
  if (known.providerIds.length === 0) return true;
  return trust === "authoritative";
}

/** Combines issuer and subject. An issuer has no fragment, so the first # separates them. */
function identityOf(setup: ProviderSetup, { sub }: Claims): Identity {
  return { providerId: setup.provider, accountId: `${setup.issuer}#${sub}` };
}

function create(
  deps: Pick<FederationDeps, "control" | "clock" | "ids" | "settings">,
  email: string,
  claims: Claims,
): Promise<{ userId: string }> {
  const [first = "", ...rest] = (claims.name ?? "").trim().split(/\s+/);
  const name = usable(claims.given_name) ?? usable(first) ?? usable(email.split("@")[0]) ?? "Member";
  const familyName = usable(claims.family_name) ?? usable(rest.join(" ")) ?? "";
  return createPerson(deps, { email, name, familyName });
}

/** The name if sign-up would accept it. Providers allow any text. */
function usable(name: string | undefined): string | undefined {
  const checked = personNameSchema.safeParse(name);
  return checked.success ? checked.data : undefined;
}
