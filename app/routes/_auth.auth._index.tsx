import { redirect } from "@remix-run/cloudflare";

/** `/auth` is sign-in (spec A-041). */
export function loader() {
  return redirect("/auth/login");
}
