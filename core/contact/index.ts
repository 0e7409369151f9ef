/** Contact: forwards questions of visitors and customers by e-mail. */
export { sendContactRequest } from "./send-contact-request.ts";
