/** A legal page: a title, one sentence about its purpose, and short sections. */
export type LegalText = {
  title: string;
  lead: string;
  sections: readonly { title: string; text: readonly string[] }[];
};

export const legalCopy = { back: "Back to sign in", updated: "Last changed on 21 November 2026" } as const;

export const termsCopy: LegalText = {
  title: "Terms",
  lead: "What you may expect from Holdfast, and what Holdfast expects from you.",
  sections: [
    {
      title: "What Holdfast does",
      text: [
        "Holdfast copies the data of the apps you connect into a storage region of your choice, every 24 hours, and gives it back when you ask: as a ZIP file or as a new item in the app it came from. A restore never overwrites the original.",
      ],
    },
    {
      title: "Your account",
      text: [
        "You sign up with a name and an email that are yours. Keep your password to yourself and switch on two-factor authentication if you can. Whoever you invite acts within the rights you give them.",
        "Connect only accounts that you are allowed to back up.",
      ],
    },
    {
      title: "Your data",
      text: [
        "What we back up stays yours. We read it only to store it, to check that it is intact, and to give it back to you. You can download it and delete it at any time; deleting is final.",
      ],
    },
    {
      title: "Trial and payment",
      text: [
        "The first 14 days of each app are free and need no card. Afterwards a subscription goes on until you cancel it. Without one no new backups are taken, and the versions you have expire at the end of their time.",
      ],
    },
    {
      title: "What we ask you not to do",
      text: [
        "Do not try to reach other people's data, to overload the service, or to use it for anything unlawful. If you find a weakness, please tell us before you tell others.",
      ],
    },
    {
      title: "Limits",
      text: [
        "A backup holds what the app's interface hands out; each version says what it holds and what it could not. Holdfast is a second copy and no replacement for the app itself.",
      ],
    },
  ],
};

export const privacyCopy: LegalText = {
  title: "Privacy policy",
  lead: "Which data about you we keep, why, and for how long.",
  sections: [
    {
      title: "What we keep about you",
      text: [
        "Your name, your email, your settings, and the audit trail of what was done in your account. Your password is stored only as a hash, which cannot be turned back.",
        "The access that an app grants us is stored encrypted and is used only for backups and restores.",
      ],
    },
    {
      title: "Your backups",
      text: [
        "Backups are encrypted with a key of your organisation and stay in the region you chose. Versions are kept as long as your plan says, 30 days at first, and are then deleted.",
      ],
    },
    {
      title: "Cookies and local storage",
      text: [
        "One cookie keeps you signed in; others remember how you want the pages to look and which way you signed in. Local storage holds when you were last active and which page you were on. We set no cookies of advertisers and no cookies that follow you elsewhere.",
      ],
    },
    {
      title: "Who helps us",
      text: [
        "Holdfast runs on the network and the storage of Cloudflare. The apps you connect see the requests we make for you. Nobody buys your data from us.",
      ],
    },
    {
      title: "Mails",
      text: [
        "We write to you about your account, and we send the reports you asked for. Each report carries a link that ends them.",
      ],
    },
    {
      title: "Your rights",
      text: [
        "You can see and correct your details in the settings, and ask us on the contact page for a copy or for the deletion of everything we hold about you.",
      ],
    },
  ],
};

export const slaCopy: LegalText = {
  title: "Service level agreement",
  lead: "What we aim for, how you can check it, and what we do when we miss it.",
  sections: [
    {
      title: "Backups",
      text: [
        "Every protected item is backed up once in 24 hours. The list of items shows when each was last backed up; a failed backup says why and is tried again.",
      ],
    },
    {
      title: "Proof",
      text: [
        "After a backup what was stored is read back and compared with what was written. A version that has passed is marked as verified, with the time.",
      ],
    },
    {
      title: "Keeping",
      text: [
        "A version is kept for the days of your plan, counted from the moment it was taken, and is stored by a service that keeps several copies of every object.",
      ],
    },
    {
      title: "Availability",
      text: [
        "We aim to be reachable at all times. When work on the service needs a pause, the pages say so, and the backups that were due are taken afterwards.",
      ],
    },
    {
      title: "When something goes wrong",
      text: [
        "Write to us on the contact page. We answer what happened, which of your data it touched, and what we change so that it does not happen again.",
      ],
    },
  ],
};
