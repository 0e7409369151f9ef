/**
 * Seats: the people of a connected account whom the platform's plan counts. They are read from the platform once a day,
 * never for a page.
 */
export { countSeats, queueSeatCounts } from "./count-seats.ts";
export { type SeatTotal, totalSeats } from "./total-seats.ts";
