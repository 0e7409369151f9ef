import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "Trello assigns them to what a restore makes.";
const DERIVED = "Trello derives them from other fields.";
const LIMITS = "They are limits of the plan.";
const VIEWER = "They describe the account that reads.";
const YOURS = "Only yours come back: the API cannot act for other people.";

/** What becomes of Trello's fields. The forms in `record-form.ts` decide it; the README says how. */
export const coverage: Coverage = [
  {
    name: "Board",
    schema: "board",
    restored: "name desc prefs subscribed",
    kept: [
      {
        fields:
          "id idOrganization idEnterprise url shortUrl shortLink idMemberCreator creationMethod idBoardSource",
        because: ASSIGNED,
      },
      { fields: "closed dateClosed", because: "A restored board is open; the report says so." },
      { fields: "labelNames", because: "The labels come back themselves." },
      { fields: "memberships", because: "A restore invites nobody." },
      { fields: "powerUps idTags datePluginDisable", because: "Power-Ups must be added by hand." },
    ],
    left: [
      { fields: "dateLastActivity descData nodeId ixUpdate", because: DERIVED },
      { fields: "starred pinned dateLastView", because: VIEWER },
      { fields: "limits premiumFeatures enterpriseOwned", because: LIMITS },
      { fields: "templateGallery", because: "Trello sets it for its own gallery." },
    ],
  },
  {
    name: "Lists",
    schema: "list",
    restored: "name pos closed subscribed",
    kept: [{ fields: "id idBoard creationMethod", because: ASSIGNED }],
    left: [{ fields: "limits softLimit", because: LIMITS }],
  },
  {
    name: "Labels",
    schema: "label",
    restored: "name color",
    kept: [{ fields: "id idBoard", because: ASSIGNED }],
    left: [{ fields: "limits", because: LIMITS }],
  },
  {
    name: "Custom fields",
    schema: "custom-field",
    restored: "name type pos display options",
    kept: [{ fields: "id idModel modelType fieldGroup isSuggestedField", because: ASSIGNED }],
    left: [{ fields: "limits", because: LIMITS }],
  },
  {
    name: "Cards",
    schema: "card",
    restored: `name desc closed pos idList due start dueComplete dueReminder isTemplate cardRole address locationName
      coordinates idLabels cover attachments stickers subscribed`,
    kept: [
      {
        fields: "id idBoard idShort shortLink shortUrl dateLastActivity creationMethod",
        because: "Trello assigns them; the report maps old cards to new ones.",
      },
      { fields: "idMembers idMembersVoted", because: YOURS },
      { fields: "idAttachmentCover manualCoverAttachment", because: "The cover says the same." },
    ],
    left: [
      { fields: "labels idChecklists checkItemStates badges descData url staticMapUrl", because: DERIVED },
      { fields: "email", because: "It is an address that adds to the card, and belongs to the account." },
      { fields: "limits", because: LIMITS },
    ],
  },
  {
    name: "Values of custom fields",
    schema: "custom-field-value",
    restored: "idCustomField value idValue",
    kept: [{ fields: "id idModel modelType", because: ASSIGNED }],
  },
  {
    name: "Checklists",
    schema: "checklist",
    restored: "name pos checkItems",
    kept: [{ fields: "id idCard idBoard", because: ASSIGNED }],
    left: [{ fields: "limits", because: LIMITS }],
  },
  {
    name: "Items of checklists",
    schema: "check-item",
    restored: "name pos state due",
    kept: [
      { fields: "idMember", because: YOURS },
      { fields: "id idChecklist type creationMethod", because: ASSIGNED },
    ],
    left: [
      { fields: "nameData", because: DERIVED },
      { fields: "limits", because: LIMITS },
    ],
  },
  {
    name: "Attachments",
    schema: "attachment",
    restored: "name url isUpload mimeType fileName",
    kept: [
      { fields: "id bytes date idMember pos", because: "The bytes come back; Trello assigns the rest." },
    ],
    left: [
      { fields: "previews edgeColor", because: DERIVED },
      { fields: "limits", because: LIMITS },
    ],
  },
  {
    name: "Comments",
    schema: "action",
    restored: "data date memberCreator",
    kept: [
      {
        fields: "id type idMemberCreator member appCreator",
        because: "The restored comment names its author.",
      },
    ],
    left: [
      { fields: "display entities", because: DERIVED },
      { fields: "limits", because: LIMITS },
    ],
  },
  {
    name: "History",
    schema: "action",
    kept: [
      {
        fields: "id type data date idMemberCreator memberCreator member appCreator",
        because: "Only Trello writes the history.",
      },
    ],
    left: [
      { fields: "display entities", because: DERIVED },
      { fields: "limits", because: LIMITS },
    ],
  },
  {
    name: "Members",
    schema: "member",
    kept: [{ fields: "id username fullName initials", because: "A restore invites nobody." }],
    left: [
      {
        fields: `aaBlockSyncUntil aaEmail aaEnrolledDate aaId activityBlocked avatarHash avatarSource avatarUrl bio
          bioData confirmed credentialsRemovedCount domainClaimed email gravatarHash idBoards idEnterprise
          idEnterprisesAdmin idEnterprisesDeactivated idMemberReferrer idOrganizations idPremOrgsAdmin isAaMastered
          ixUpdate loginTypes marketingOptIn memberType messagesDismissed nonPublic nonPublicAvailable
          oneTimeMessagesDismissed prefs premiumFeatures products siftDecision status trophies uploadedAvatarHash
          uploadedAvatarUrl url limits _value`,
        because: "They belong to the person, not to the board.",
      },
    ],
  },
  {
    name: "Data of Power-Ups",
    schema: "plugin-data",
    kept: [
      { fields: "id idPlugin scope idModel value access", because: "Only a Power-Up can write its data." },
    ],
  },
];
