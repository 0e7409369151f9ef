import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Brand } from "#app/components/brand.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { DaysRibbon } from "#app/components/days-ribbon.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { authFooterCopy } from "#app/copy/auth.ts";
import { welcomeCopy as copy } from "#app/copy/welcome.ts";
import { listOffers, type Offer } from "#app/money/offers.server.ts";
import { usd } from "#app/money/usd.ts";
import "./welcome.css";

export const meta: MetaFunction = () => [{ title: "Holdfast" }, { name: "description", content: copy.title }];

/** Shows nothing of an organisation, so it is the same for everybody. */
export const loader = () => ({ offers: listOffers() });

/** The public page: what the product does, what it proves with figures of the bench, and what it costs. */
export default function Welcome() {
  const { offers } = useLoaderData<typeof loader>();
  const labels = offers.map(({ label }) => label);
  return (
    <main className="welcome">
      <header className="welcome__head">
        <Link to="/" aria-label={authFooterCopy.home}>
          <Brand />
        </Link>
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
      </header>
      <DaysRibbon label={copy.ribbon} height={32} />
      <section className="welcome__lead">
        <h1>{copy.title}</h1>
        <p>{copy.lead(new Intl.ListFormat("en-GB").format(labels))}</p>
        <Link className={buttonClass({ variant: "solid", size: "l" })} to="/auth/sign-up">
          {copy.start}
        </Link>
      </section>
      <section>
        <h2>{copy.does}</h2>
        <div className="welcome__promises">
          {copy.promises.map(({ title, text }) => (
            <div key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          ))}
        </div>
      </section>
      <section>
        <h2>{copy.proves}</h2>
        <dl className="welcome__proofs">
          {copy.proofs.map(({ figure, text }) => (
            <div key={text}>
              <dt>{figure}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className="meta">{copy.provesNote}</p>
      </section>
      <section>
        <h2>{copy.costs}</h2>
        <ul className="welcome__offers">
          {offers.map((offer) => (
            <li key={offer.id}>
              <PlatformMark platform={offer.id} />
              <b className="medium">{offer.label}</b>
              <span>{priceOf(offer)}</span>
            </li>
          ))}
        </ul>
        <p className="meta">{copy.costsNote}</p>
      </section>
    </main>
  );
}

function priceOf({ cents, upTo, item }: Offer): string {
  const counted = item ?? copy.users;
  const amount = usd(cents).replace(/\.00$/, "");
  return `${copy.price(amount)} ${upTo === null ? copy.each(counted.one) : copy.upTo(upTo, counted.many)}`;
}
