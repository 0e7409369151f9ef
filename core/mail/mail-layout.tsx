import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Hr } from "@react-email/hr";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import type { MailContent, MailList } from "./mail-content.ts";
import { safeUrl, singleLine } from "./plain-text.ts";

/*
 * Colours and sizes of the product's paper theme. Mail programs do not support CSS variables, so the values are
 * repeated here. The dark values use the one media query that many of them support.
 */
const INK = "#21201c";
const SOFT = "#63635e";
const RULE = "#dad9d6";
const ACCENT = "#8c6c5e";
const SANS = "'IBM Plex Sans', system-ui, -apple-system, 'Segoe UI', sans-serif";
const MONO = "'IBM Plex Mono', ui-monospace, Menlo, Consolas, monospace";
const BODY = { fontFamily: SANS, fontSize: "16px", lineHeight: "24px", color: INK, margin: "0 0 16px" };
const META = { fontFamily: SANS, fontSize: "13px", lineHeight: "20px", color: SOFT, margin: "0 0 8px" };
const DARK = `@media (prefers-color-scheme: dark) {
.page { background-color: #111113 !important; }
.panel { background-color: #18191b !important; border-color: #2e3135 !important; }
.ink { color: #edeef0 !important; }
.soft { color: #b0b4ba !important; }
.rule { border-color: #2e3135 !important; }
.well { background-color: #212225 !important; color: #edeef0 !important; }
}`;

/** The layout of all e-mails: no images, no scripts, no external resources, readable in light and dark mode. */
export function MailLayout({ content }: { content: MailContent }) {
  const { code, facts = [], lists = [], action, after = [], unsubscribe } = content;
  return (
    <Html lang="en">
      <Head>
        <title>{singleLine(content.subject)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK}</style>
      </Head>
      <Preview>{singleLine(content.preview ?? content.paragraphs[0] ?? content.heading)}</Preview>
      <Body className="page" style={{ backgroundColor: "#fdfdfc", margin: 0, padding: "32px 16px" }}>
        <Container
          className="panel"
          style={{
            backgroundColor: "#ffffff",
            border: `1px solid ${RULE}`,
            borderRadius: "5px",
            maxWidth: "560px",
            padding: "32px",
          }}
        >
          <Text className="ink" style={{ ...BODY, fontWeight: 600, margin: "0 0 24px" }}>
            Holdfast
          </Text>
          <Heading
            as="h1"
            className="ink"
            style={{ ...BODY, fontSize: "24px", lineHeight: "30px", fontWeight: 600 }}
          >
            {singleLine(content.heading)}
          </Heading>
          <Paragraphs texts={content.paragraphs} />
          {code ? <Code text={code} /> : null}
          {facts.length > 0 ? <Facts facts={facts} /> : null}
          {numbered(lists).map(({ key, each }) => (
            <List key={key} list={each} />
          ))}
          {action ? (
            <Button
              href={safeUrl(action.url)}
              style={{
                backgroundColor: ACCENT,
                borderRadius: "3px",
                color: "#ffffff",
                fontFamily: SANS,
                fontSize: "16px",
                fontWeight: 500,
                margin: "8px 0 24px",
                padding: "12px 20px",
              }}
            >
              {singleLine(action.label)}
            </Button>
          ) : null}
          <Paragraphs texts={after} />
          <Hr className="rule" style={{ borderColor: RULE, margin: "16px 0" }} />
          <Text className="soft" style={META}>
            {singleLine(content.reason)}
          </Text>
          {unsubscribe ? (
            <Text className="soft" style={META}>
              <Link className="soft" href={safeUrl(unsubscribe.settingsUrl)} style={UNDERLINED}>
                Change what you receive
              </Link>
              {" · "}
              <Link className="soft" href={safeUrl(unsubscribe.pageUrl)} style={UNDERLINED}>
                Unsubscribe
              </Link>
            </Text>
          ) : null}
        </Container>
      </Body>
    </Html>
  );
}

const UNDERLINED = { color: SOFT, textDecoration: "underline" };

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return (
    <>
      {numbered(texts).map(({ key, each }) => (
        <Text key={key} className="ink" style={BODY}>
          {singleLine(each)}
        </Text>
      ))}
    </>
  );
}

function Code({ text }: { text: string }) {
  return (
    <Text
      className="well"
      style={{
        ...BODY,
        backgroundColor: "#f1f0ef",
        borderRadius: "3px",
        fontFamily: MONO,
        fontSize: "24px",
        letterSpacing: "2px",
        lineHeight: "32px",
        margin: "8px 0 24px",
        padding: "16px",
        textAlign: "center",
      }}
    >
      {singleLine(text)}
    </Text>
  );
}

function Facts({ facts }: { facts: NonNullable<MailContent["facts"]> }) {
  return (
    <Section style={{ margin: "0 0 16px" }}>
      {numbered(facts).map(({ key, each: [label, value] }) => (
        <Text key={key} className="ink" style={{ ...BODY, margin: "0 0 4px" }}>
          <span className="soft" style={{ color: SOFT }}>
            {`${singleLine(label)}: `}
          </span>
          {singleLine(value)}
        </Text>
      ))}
    </Section>
  );
}

function List({ list: { title, entries } }: { list: MailList }) {
  return (
    <Section style={{ margin: "0 0 16px" }}>
      <Heading as="h2" className="ink" style={{ ...BODY, fontWeight: 600, margin: "0 0 8px" }}>
        {singleLine(title)}
      </Heading>
      {numbered(entries).map(({ key, each: { text, detail, url } }) => (
        <Text key={key} className="ink" style={{ ...BODY, margin: "0 0 8px" }}>
          {url ? (
            <Link className="ink" href={safeUrl(url)} style={{ color: INK, textDecoration: "underline" }}>
              {singleLine(text)}
            </Link>
          ) : (
            singleLine(text)
          )}
          {detail ? (
            <span className="soft" style={{ color: SOFT, display: "block", fontSize: "13px" }}>
              {singleLine(detail)}
            </span>
          ) : null}
        </Text>
      ))}
    </Section>
  );
}

/** Two lines may be equal. Their order is fixed, so the index is their key. */
function numbered<Each>(list: readonly Each[]): { key: number; each: Each }[] {
  return list.map((each, key) => ({ key, each }));
}
