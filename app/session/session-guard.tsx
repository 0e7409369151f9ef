import { lazy, Suspense, useEffect, useState } from "react";

/** Fetched once the page stands: no call is made before. */
const FailureGuard = lazy(() => import("./failure-guard.tsx"));

/** What holds on every page whatever it shows. */
export function SessionGuard() {
  const [isAlive, setIsAlive] = useState(false);
  useEffect(() => setIsAlive(true), []);
  return isAlive ? (
    <Suspense fallback={null}>
      <FailureGuard />
    </Suspense>
  ) : null;
}
