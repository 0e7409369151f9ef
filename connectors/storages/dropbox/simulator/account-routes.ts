import { Hono } from "hono";
import type { ApiEnv } from "./answers.ts";
import { usedBytes } from "./entries.ts";
import type { DropboxPerson, DropboxWorld } from "./state.ts";

/** Account and space usage (`users`), and revoking a token (`auth`). */
export function accountRoutes(world: DropboxWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post("/2/users/get_current_account", (c) => c.json(renderAccount(c.get("person"))));
  app.post("/2/users/get_space_usage", (c) => {
    const person = c.get("person");
    const allocation = { ".tag": "individual", allocated: person.allocatedBytes };
    return c.json({ used: usedBytes(world, person), allocation });
  });
  app.post("/2/auth/token/revoke", (c) => {
    world.desk.revoke((c.req.header("authorization") ?? "").replace(/^bearer\s+/i, ""));
    return c.json(null);
  });
  return app;
}

function renderAccount({ id, givenName, surname, email }: DropboxPerson) {
  return {
    account_id: id,
    name: {
      given_name: givenName,
      surname,
      familiar_name: givenName,
      display_name: `${givenName} ${surname}`,
      abbreviated_name: `${givenName.charAt(0)}${surname.charAt(0)}`,
    },
    email,
    email_verified: true,
    disabled: false,
    country: "SE",
    locale: "en",
    referral_link: "https://db.tt/ZITNuhtI",
    is_paired: false,
    account_type: { ".tag": "basic" },
    root_info: { ".tag": "user", root_namespace_id: "3235641", home_namespace_id: "3235641" },
  };
}
