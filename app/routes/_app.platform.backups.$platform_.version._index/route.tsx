import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { queryAddress } from "./queries.server.ts";

/** Redirects to what the address asks for in a version: an entry, or the first view. */
export async function loader(args: LoaderFunctionArgs) {
  const address = await queryAddress(args);
  if (address === null) return null;
  throw redirect(address);
}

export default function FirstView() {
  return null;
}
