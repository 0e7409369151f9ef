import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

/** Redirects `/auth` to sign-in (spec A-041) and keeps the query. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(`/auth/login${new URL(request.url).search}`);
}
