import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { placeIn } from "#app/version/address.ts";
import { versionOf } from "#app/version/read-inside.server.ts";
import { queryFirstView } from "./queries.server.ts";

/** Redirects to the first view of a version, or to its records if it has no views. */
export async function loader(args: LoaderFunctionArgs) {
  const inside = await queryFirstView(args);
  // The parent page shows why there is nothing to read.
  if (inside === null || inside.problem !== null) return null;
  const version = versionOf(args.request, args.params.platform ?? "");
  const view = inside.page;
  throw redirect(view === null ? placeIn(version, "records") : placeIn(version, view.kind, { in: view.id }));
}

export default function FirstView() {
  return null;
}
