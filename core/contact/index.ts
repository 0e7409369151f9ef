/** Contact: questions of visitors and customers, passed on by e-mail. */
export { sendContactRequest } from "./send-contact-request.ts";
