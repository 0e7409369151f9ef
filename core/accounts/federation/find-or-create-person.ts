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
 * The person whom a provider's identity (issuer and subject) belongs to. Who comes for the first time is known by
 * e-mail, as far as the provider is believed about it: a new person, or one who is here already.
 * @throws AppError `err.federation.unverified`, `err.federation.email`, `err.federation.invited`
 */
export async function findOrCreatePerson(
  deps: FederationDeps,
  arrival: Arrival,
): Promise<{ userId: string }> {
  try {
    return await resolve(deps, arrival);
  } catch (cause) {
    // The same person came twice at once, and the other made the account.
    if (cause instanceof AppError && cause.code === "err.email.taken") return resolve(deps, arrival);
    throw cause;
  }
}

async function resolve(deps: FederationDeps, { setup, claims }: Arrival): Promise<{ userId: string }> {
  const { email } = claims;
  const identity = identityOf(setup, claims);
  // Read first: whoever writes the identity meanwhile is then seen as its owner, not as somebody in the way.
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
  // Without another way in, the account was begun by this very arrival: nobody has to be told.
  if (known && known.providerIds.length > 0) await linkAndTell(deps, { linking, id, email, known, setup });
  else await linking;
  return { userId: (await findIdentityOwner(deps.control, identity)) ?? userId };
}

/** Gives the identity to an account that stands, and tells its person by e-mail that there is another way into it. */
async function linkAndTell(
  deps: FederationDeps,
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
 * Whether a first arrival may open an account that stands. A second subject of one provider may not: companies give
 * the address of somebody who left to somebody who comes.
 */
function mayJoin(known: PersonOfEmail, setup: ProviderSetup, trust: EmailTrust): boolean {
  if (!known.isEmailVerified || known.providerIds.includes(setup.provider)) return false;
  // A first arrival broke off before the identity was written: the account is nobody else's, there is no way into it.
  if (known.providerIds.length === 0) return true;
  return trust === "authoritative";
}

/** Issuer and subject in one name. An issuer has no fragment, so the first # is the border between them. */
function identityOf(setup: ProviderSetup, { sub }: Claims): Identity {
  return { providerId: setup.provider, accountId: `${setup.issuer}#${sub}` };
}

function create(deps: FederationDeps, email: string, claims: Claims): Promise<{ userId: string }> {
  const [first = "", ...rest] = (claims.name ?? "").trim().split(/\s+/);
  const name = usable(claims.given_name) ?? usable(first) ?? usable(email.split("@")[0]) ?? "Member";
  const familyName = usable(claims.family_name) ?? usable(rest.join(" ")) ?? "";
  return createPerson(deps, { email, name, familyName });
}

/** A name as sign-up would take it; providers let people write anything. */
function usable(name: string | undefined): string | undefined {
  const checked = personNameSchema.safeParse(name);
  return checked.success ? checked.data : undefined;
}
