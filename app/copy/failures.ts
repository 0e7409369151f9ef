/** Popups that any screen can show (spec ). */
export const failureNotices = {
  unauthorized: { title: "Unauthorized Access", text: "Authorization Required" },
  ended: {
    title: "You are signed out",
    text: "Your session was ended, or you are no longer a member of the organisation. Its owner can tell you more.",
  },
  server: { title: "Internal server error", text: "Server response with error, please try again later" },
  script: {
    title: "Part of this page is missing",
    text: "Check your connection, then reload the page: Holdfast may have been updated since you opened it. Nothing was changed.",
  },
  maintenance: {
    title: "We'll be back very soon",
    text: "The product is under construction. Please try again in a few minutes.",
  },
} as const;
