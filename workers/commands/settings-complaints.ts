import { hostApps } from "#connectors/registry/host-apps.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { storages } from "#connectors/registry/storages.generated.ts";
import { settingsSchema } from "#workers/env.ts";

/** A sentence for every variable that the Worker would reject; empty when it would start. Never contains a value. */
export function complaintsAbout(vars: Readonly<Record<string, string>>): string[] {
  const parts = [...platforms, ...storages, ...hostApps];
  const schemas = [settingsSchema, ...parts.map(({ configSchema }) => configSchema)];
  const issues = schemas.flatMap((schema) => schema.safeParse(vars).error?.issues ?? []);
  const sentences = issues.map(({ path, message }) => {
    const name = path.join(".");
    return name in vars ? `${name}: ${message}.` : `${name} is missing.`;
  });
  return [...new Set(sentences)];
}
