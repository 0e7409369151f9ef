/** A sprint of the story; days count from the start of the simulator. */
export type SprintScript = {
  name: string;
  goal: string;
  startDay: number;
  days: number;
  state: "closed" | "active" | "future";
};

export const SPRINTS: readonly SprintScript[] = [
  { name: "Ferries 1", goal: "Book without the phone", startDay: -60, days: 14, state: "closed" },
  { name: "Ferries 2", goal: "No lorry waits for papers", startDay: -45, days: 14, state: "closed" },
  { name: "Winter 1", goal: "Tyres and timetables", startDay: -30, days: 14, state: "closed" },
  { name: "Winter 2", goal: "Every depot on the new map", startDay: -7, days: 14, state: "active" },
  { name: "Winter 3", goal: "", startDay: 8, days: 14, state: "future" },
];

/** An issue of the story. People are indexes in the crew. */
export type StoryScript = {
  summary: string;
  type?: "Story" | "Task" | "Bug";
  text?: string;
  by?: number;
  points?: number;
  tonnes?: number;
  depot?: string;
  priority?: string;
  version?: string;
  labels?: readonly string[];
  sprints?: readonly string[];
  status?: "In Progress" | "In Review" | "Done";
  steps?: readonly (readonly [summary: string, isDone: boolean])[];
  comments?: readonly (readonly [by: number, text: string])[];
  work?: readonly (readonly [by: number, hours: number, text: string])[];
  file?: { name: string; text: string };
  picture?: string;
  watchers?: readonly number[];
  /** The summary of the issue that it blocks. */
  blocks?: string;
};

type EpicScript = { summary: string; text: string; component: string; stories: readonly StoryScript[] };

export const EPICS: readonly EpicScript[] = [
  {
    summary: "Ferry bookings without the phone",
    text: "Dispatchers book crossings where they plan the route.",
    component: "Routing",
    stories: [
      {
        summary: "Book the Friday ferry Göteborg–Kiel from the plan",
        text: "Four lorries, one of them refrigerated.\nCheck the height of the trailer.\nDrivers need cabins.",
        by: 1,
        points: 5,
        tonnes: 38.4,
        depot: "Göteborg",
        priority: "High",
        version: "Autumn timetable",
        labels: ["ferry", "urgent"],
        sprints: ["Ferries 1"],
        status: "Done",
        steps: [
          ["Heights measured", true],
          ["Drivers asked", true],
          ["Cabins reserved", true],
        ],
        comments: [
          [1, "The 19:00 crossing has room for three, the 21:30 for all four."],
          [0, "Then 21:30. Please book it today."],
        ],
        work: [
          [1, 3, "Talked to the ferry company about their interface."],
          [1, 5, "First booking went through."],
        ],
        file: { name: "crossing-times.txt", text: "19:00  3 lorries\n21:30  6 lorries\n" },
        picture: "crossing.png",
        watchers: [2],
        blocks: "Show the crossing on the route map",
      },
      {
        summary: "Show the crossing on the route map",
        by: 1,
        points: 3,
        sprints: ["Ferries 1"],
        status: "Done",
        work: [[1, 4, "The line follows the fairway now."]],
      },
      {
        summary: "Cancel a booking until four hours before departure",
        by: 2,
        points: 3,
        sprints: ["Ferries 1", "Ferries 2"],
        status: "Done",
        comments: [[2, "The company charges a fee within 24 hours; the dialogue says so."]],
      },
      {
        summary: "Refrigerated trailers need a socket on the car deck",
        type: "Bug",
        by: 1,
        priority: "Highest",
        depot: "Göteborg",
        sprints: ["Ferries 2"],
        status: "Done",
        comments: [
          [2, "Temperature log is in the cab, −1.5 °C the whole way."],
          [1, "The booking now asks for a socket when the trailer is cold."],
        ],
      },
      { summary: "Compare prices of three companies", points: 8, labels: ["ferry"] },
    ],
  },
  {
    summary: "No lorry waits for papers",
    text: "Customs papers are complete before a lorry leaves the depot.",
    component: "Customs",
    stories: [
      {
        summary: "T1 papers for the Oslo run",
        by: 2,
        points: 3,
        labels: ["customs"],
        sprints: ["Ferries 2"],
        status: "Done",
        steps: [
          ["CMR", true],
          ["T1", true],
          ["Insurance", true],
        ],
        comments: [[2, "The customs office closes at four on Fridays."]],
      },
      {
        summary: "Machine parts from Gdańsk are held for a missing stamp",
        type: "Bug",
        text: "Broker: Baltic Clearing, +46 8 555 01 23.",
        by: 2,
        tonnes: 9.2,
        depot: "Gdańsk",
        priority: "Highest",
        labels: ["customs"],
        sprints: ["Winter 1", "Winter 2"],
        status: "In Progress",
        steps: [
          ["Broker called", true],
          ["Stamp", false],
          ["Release number", false],
        ],
        comments: [
          [2, "Stamp promised for tomorrow morning."],
          [0, "If not, we turn it around via Karlskrona."],
          [2, "Turned around is two days. I stay on it."],
        ],
        work: [[2, 2, "On the phone with the broker."]],
        watchers: [1, 2],
      },
      {
        summary: "Warn when a seal number is used twice",
        by: 1,
        points: 2,
        sprints: ["Winter 1"],
        status: "Done",
        blocks: "Print the seal on the delivery note",
      },
      {
        summary: "Print the seal on the delivery note",
        points: 1,
        sprints: ["Winter 2"],
        status: "In Review",
        by: 1,
      },
      { summary: "Read weights from the weighbridge", points: 5, sprints: ["Winter 3"] },
      {
        summary: "Broker sees the papers of their own lorries only",
        points: 8,
        labels: ["customs", "partner"],
      },
    ],
  },
  {
    summary: "Winter is no surprise",
    text: "Tyres, breaks and timetables for the dark half of the year.",
    component: "Depots",
    stories: [
      {
        summary: "Winter tyres, lorries 4 to 9",
        type: "Task",
        text: "Workshop in Gällivare, two a day.",
        by: 1,
        depot: "Kiruna",
        version: "Winter timetable",
        labels: ["maintenance"],
        sprints: ["Winter 1"],
        status: "Done",
        steps: [
          ["Lorries 4 and 5", true],
          ["Lorries 6 and 7", true],
          ["Lorries 8 and 9", true],
        ],
        work: [[1, 8, "Drove lorry 4 and 5 there and back."]],
      },
      {
        summary: "Swap diesel for HVO on the Kiruna line",
        text: "Two suppliers answered. Nynäs delivers to the depot, the other only to Luleå.",
        by: 1,
        depot: "Kiruna",
        points: 8,
        labels: ["maintenance"],
        sprints: ["Winter 2"],
        status: "In Progress",
        comments: [[1, "The engines are approved for it, I asked the workshop."]],
      },
      {
        summary: "Heat the cabs from the depot's grid",
        by: 2,
        points: 5,
        sprints: ["Winter 2"],
        status: "In Progress",
      },
      { summary: "One shared calendar for both depots", points: 3, sprints: ["Winter 2"] },
      {
        summary: "Show road closures on the plan",
        points: 5,
        sprints: ["Winter 3"],
        version: "Winter timetable",
      },
      { summary: "Snow chains are counted at the gate", type: "Task", sprints: ["Winter 3"] },
    ],
  },
  {
    summary: "Invoices on the day of delivery",
    text: "The proof of delivery starts the invoice.",
    component: "Invoices",
    stories: [
      {
        summary: "Paper rolls to Hamburg: invoice from the proof of delivery",
        by: 1,
        tonnes: 26,
        points: 5,
        sprints: ["Ferries 2"],
        status: "Done",
        comments: [[1, "Signed by the gate at 11:20, nothing damaged."]],
        file: { name: "proof-of-delivery.txt", text: "Received 26 rolls, no damage.\nHamburg, 11:20\n" },
      },
      {
        summary: "Timber to Rostock: fuel surcharge is missing",
        type: "Bug",
        by: 1,
        tonnes: 24.75,
        depot: "Göteborg",
        sprints: ["Winter 1"],
        status: "Done",
        comments: [
          [1, "Left at 05:40, roads are clear."],
          [0, "Customer wants a call an hour before arrival."],
        ],
        file: {
          name: "delivery-note-4471.txt",
          text: "Delivery note 4471\n62 m3 spruce, planed\nRostock, gate 3\n",
        },
      },
      {
        summary: "Round to whole öre once, at the end",
        type: "Bug",
        by: 2,
        points: 1,
        sprints: ["Winter 1"],
        status: "Done",
      },
      {
        summary: "Credit note for damaged pallets",
        points: 3,
        sprints: ["Winter 2"],
        status: "In Review",
        by: 2,
      },
      { summary: "Send invoices as e-mail and as Peppol", points: 8, sprints: ["Winter 3"] },
      { summary: "Reminder after 30 days", points: 2 },
    ],
  },
  {
    summary: "Drivers keep their breaks",
    text: "The plan knows driving hours, and says so before it is too late.",
    component: "Routing",
    stories: [
      {
        summary: "Read the tachograph every evening",
        by: 1,
        points: 5,
        sprints: ["Ferries 2"],
        status: "Done",
      },
      {
        summary: "Refuse a plan without a break after 4.5 hours",
        by: 1,
        points: 5,
        sprints: ["Winter 1"],
        status: "Done",
      },
      { summary: "Parking places with a fence, on the map", points: 3, sprints: ["Winter 2"], by: 2 },
      { summary: "Two drivers share a lorry", points: 8 },
      {
        summary: "Hours of the night ferry count as rest",
        type: "Bug",
        priority: "High",
        sprints: ["Winter 2"],
        by: 1,
        status: "In Progress",
      },
    ],
  },
  {
    summary: "Electric lorries in the city",
    text: "Two lorries on trial, charged at the depot in Göteborg.",
    component: "Depots",
    stories: [
      {
        summary: "Charge at night, when power is cheap",
        by: 2,
        points: 5,
        depot: "Göteborg",
        sprints: ["Winter 1", "Winter 2"],
        status: "In Progress",
        steps: [
          ["Read the tariff", true],
          ["Stop at 80 %", false],
        ],
        work: [[2, 6, "The charger answers to the tariff."]],
      },
      { summary: "Range in the cold, measured", type: "Task", by: 2, sprints: ["Winter 2"], depot: "Kiruna" },
      { summary: "Plan knows where a lorry can charge", points: 8, sprints: ["Winter 3"] },
      {
        summary: "Cable trips the drivers",
        type: "Bug",
        priority: "High",
        sprints: ["Winter 2"],
        by: 1,
        status: "In Review",
      },
      { summary: "Quiet hours of the old town", points: 3 },
      { summary: "Insurance for batteries", type: "Task", by: 0, labels: ["partner"] },
      { summary: "Tell the customer that the lorry was electric", points: 2 },
    ],
  },
];
