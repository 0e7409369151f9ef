/** An issue of the demo, with its comments. */
export type DemoThread = {
  title: string;
  body: string;
  labels?: readonly string[];
  comments?: readonly string[];
  isClosed?: boolean;
};

/** Labels of the demo in addition to GitHub's defaults: emoji, accents, slashes and other alphabets. */
export const DEMO_LABELS: readonly [string, string, string | null][] = [
  ["🚚 routes", "1d76db", "Anything that moves a lorry"],
  ["🧊 cold chain", "bfdadc", "Refrigerated goods"],
  ["P1 🔥", "b60205", "Drop everything"],
  ["needs/triage", "fbca04", null],
  ["försening", "d4c5f9", "Delays on the Swedish side"],
  ["митница", "5319e7", "Customs, Bulgarian side"],
];

/** Milestones of the demo: title, due date, and whether it is closed. */
export const DEMO_MILESTONES: readonly [string, string | null, boolean][] = [
  ["Winter timetable", "2025-12-14", true],
  ["Driving-time rules 2026", "2026-08-20", true],
  ["Autumn peak", "2026-12-01", false],
  ["Someday", null, false],
];

/** Issues of the demo. */
export const DEMO_THREADS: readonly DemoThread[] = [
  {
    title: "Ferry at Puttgarden is planned on days when it does not sail",
    body: "The planner took the 06:15 on 26 December. There is none.\n\n| day | planned | sails |\n| --- | --- | --- |\n| 25.12. | 08:15 | no |\n| 26.12. | 06:15 | no |\n\nSteps:\n1. Plan Malmö → Plovdiv\n2. Choose 26 December\n3. Look at leg 2",
    labels: ["bug", "🚚 routes"],
    comments: [
      "Confirmed, the holiday list ends in 2024. @ivo-petrov do you know where we got it from?",
      "From the operator's PDF, by hand. I'll ask them for the feed.",
      "They have a feed. Key is in the vault, *not* here.",
    ],
    isClosed: true,
  },
  {
    title: "Empty kilometres double after the depot move",
    body: "Since the depot is in Landskrona we send lorries back empty. Expected: pick up at Helsingborg first.",
    labels: ["enhancement", "🚚 routes"],
    comments: ["Measured: 38 % of all kilometres in week 14.", "Blocked by the slot booking, see below."],
  },
  {
    title: "`null` instead of a driver in the Tuesday list",
    body: "```\nTypeError: Cannot read properties of null (reading 'name')\n    at renderShift (shifts.ts:88)\n```\nHappens when somebody is ill.",
    labels: ["bug", "P1 🔥"],
    comments: ["Fixed on the release branch.", "Still there for substitutes.", "Now really."],
    isClosed: true,
  },
  {
    title: "Document how a T1 is closed",
    body: "New people ask every week. Put it in the handbook.",
    labels: ["documentation", "митница"],
    comments: ["I can write it — in Bulgarian first."],
  },
  {
    title: "Kühlkette: alarm when the trailer is above −18 °C for ten minutes",
    body: "Ten minutes, not ten measurements: the sensor sends every 40 s when it moves and every 15 min when parked.",
    labels: ["🧊 cold chain", "enhancement"],
    comments: [
      "+1, lost a load of fish over this 🐟",
      "What about defrost cycles? They go to −12 °C on purpose.",
    ],
  },
  {
    title: "Slot booking forgets the time zone at the border",
    body: "Svilengrad is UTC+2, we show UTC+1. Everybody arrives an hour early and waits.",
    labels: ["bug", "försening"],
    comments: ["It is the server's zone. See the `TZ` in the unit file.", "Closing, deployed on Friday."],
    isClosed: true,
  },
  {
    title: "Ask for 日本語 labels on the scanner",
    body: "Our partner in Yokohama wants 出荷 / 入荷 on the screen. Right now we show boxes: ▯▯ / ▯▯.",
    labels: ["help wanted"],
    comments: ["The font has no such glyphs. Noto has."],
  },
  {
    title: "Axle weights are rounded the wrong way",
    body: "11,49 t becomes 11 t and passes, although the limit is 11,5 t and the scale says ±0,1.\n\n- [x] find the place\n- [ ] test with real weights\n- [ ] tell the drivers",
    labels: ["bug"],
  },
  {
    title: "Fuel surcharge for November is missing",
    body: "Invoices went out without it. **Do not** resend before accounting says so.",
    labels: ["P1 🔥"],
    comments: ["How many?", "412.", "Accounting says: credit notes. I'll script it."],
    isClosed: true,
  },
  {
    title: "Make the driver app work without a signal in the Rhodopes",
    body: "Queue what was scanned and send it later. Mind the order: *unloaded* must not overtake *arrived*.",
    labels: ["enhancement", "good first issue"],
    comments: ["A sequence number per trailer is enough.", "And a cap, the phone has 8 GB."],
  },
  {
    title: "Break after 4.5 hours is counted from the ramp, not from the gate",
    body: "Inspector in Ystad was not amused.",
    labels: ["bug", "needs/triage"],
    comments: ["Regulation (EC) 561/2006, article 7."],
  },
  {
    title: "Two pallets with the same number",
    body: "SSCC 3 4006381 000000012 3 was given twice, by two scanners that booted from the same image.",
    labels: ["bug", "P1 🔥"],
    comments: ["The counter lives in a file that is part of the image. Facepalm.", "Moved to the server."],
    isClosed: true,
  },
  {
    title: "Can we drop Internet Explorer in the warehouse?",
    body: "Asking for a friend with a forklift.",
    labels: ["question"],
    comments: ["One machine left. It has a sticker: DO NOT UPDATE.", "It died today. 🎉"],
    isClosed: true,
  },
  {
    title: "Empty title bar when a customer has an apostrophe: O'Brien & Søn <A/S>",
    body: '`O\'Brien & Søn <A/S>` shows as nothing. "Quotes" are fine, <b>tags</b> vanish.',
    labels: ["bug"],
  },
  {
    title: "Write down what we do when a toll box dies",
    body: "",
    labels: ["documentation", "needs/triage"],
  },
];

/** Pull requests of the demo. Their commits already exist. */
export const DEMO_PULLS: readonly DemoThread[] = [
  {
    title: "Read the ferry operator's feed",
    body: "Closes the holiday hole. The PDF stays as a fall-back.",
    labels: ["🚚 routes"],
    comments: ["Tried it on December: all good."],
    isClosed: true,
  },
  {
    title: "Prefer return loads within 30 km",
    body: "Cuts empty kilometres by a third on last month's data.",
  },
  {
    title: "Guard against shifts without a driver",
    body: "Adds a test with a substitute.",
    labels: ["bug"],
    isClosed: true,
  },
  { title: "WIP: sequence numbers per trailer", body: "Do not merge yet, the cap is missing." },
  { title: "Round axle weights up", body: "", labels: ["bug"] },
  {
    title: "Replace boxes by glyphs 文字化け",
    body: "Noto Sans JP, subset to what we use (41 kB).",
    isClosed: true,
  },
];
