import type {
  AuthorisationIo,
  Authorised,
  Grant,
  PlatformAuthoriser,
} from "#connectors/contract/platform-connector.ts";

/** The grant of an authorisation; with several accounts, that of the first. */
export async function grantedBy(
  authoriser: PlatformAuthoriser,
  io: AuthorisationIo,
  answer: Promise<Authorised>,
): Promise<Grant> {
  const authorised = await answer;
  if (authorised.kind === "granted") return authorised.grant;
  const [first] = authorised.candidates;
  if (!first || !authoriser.choose) throw new Error("The authorisation opens no account.");
  return authoriser.choose(io, authorised.tokens, first.externalId);
}
