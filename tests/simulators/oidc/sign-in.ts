import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type Provider from "oidc-provider";
import {
  describePerson,
  type OidcPerson,
  type OidcProviderName,
  type PeopleFile,
  putPerson,
} from "./people.ts";
import { oidcErrorPage, signInPage } from "./sign-in-page.ts";

type Asked = { name: OidcProviderName; provider: Provider; file: PeopleFile };

/** `/sign-in/{interaction}`: shows the people and finishes the interaction with the chosen one. */
export async function answerSignIn(
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { name, provider, file } = asked;
  const interaction = await provider.interactionDetails(request, response).catch(() => null);
  if (!interaction) {
    return page(response, 400, await oidcErrorPage(name, "This sign-in has expired. Please start again."));
  }
  if (request.method !== "POST") {
    return page(response, 200, await signInPage({ provider: name, people: file.state.people[name] }));
  }
  const form = new URLSearchParams(await readText(request));
  if (form.get("decision") === "cancel") {
    const refusal = { error: "access_denied", error_description: "The person turned back." };
    return provider.interactionFinished(request, response, refusal);
  }
  const person = choosePerson(asked, form);
  if (!person) return page(response, 422, await oidcErrorPage(name, "Choose an account or type an email."));
  const grant = new provider.Grant({
    accountId: person.subject,
    clientId: String(interaction.params.client_id),
  });
  grant.addOIDCScope(String(interaction.params.scope));
  const consent = { grantId: await grant.save() };
  const login = { accountId: person.subject, remember: false };
  return provider.interactionFinished(request, response, { login, consent, select_account: {} });
}

/** A known person, or a person with the typed e-mail. */
function choosePerson({ name, file }: Asked, form: URLSearchParams): OidcPerson | undefined {
  const subject = form.get("subject");
  const email = form.get("email")?.trim() ?? "";
  if (subject) return file.state.people[name].find((person) => person.subject === subject);
  if (!email.includes("@")) return undefined;
  const person = describePerson(name, {
    email,
    name: form.get("name") ?? "",
    isEmailVerified: form.has("is_verified"),
    hostedDomain: form.has("is_hosted") ? email.slice(email.lastIndexOf("@") + 1) : null,
  });
  putPerson(file.state, name, person);
  file.save();
  return person;
}

function page(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(String(body));
}
