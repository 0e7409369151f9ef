import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { waitCopy as copy } from "#app/copy/auth.ts";
import { safeNext } from "#app/session/safe-next.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

/** Delay before the redirect, in ms. */
const WAIT_MS = 3_000;

/** A pause between two systems: shows a loading message, then redirects to `next` (spec A-054). */
export default function Wait() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const next = safeNext(search.get("next"));
  useEffect(() => {
    const timer = setTimeout(() => navigate(next, { replace: true }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [next, navigate]);
  return (
    <div className="auth__panel" aria-busy>
      <h1>{copy.title}</h1>
      <p className="soft" role="status">
        {copy.text}
      </p>
      <div className="progress is-unknown">
        <i />
      </div>
      <Link className="link" to={next}>
        {copy.go}
      </Link>
    </div>
  );
}
