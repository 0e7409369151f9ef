/** Runs once in Node before the tests in workerd. */
export default async function setup() {}
