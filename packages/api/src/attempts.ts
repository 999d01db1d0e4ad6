/** Of an account's refused attempts without a session, the newest that its owner sees counted. */
export const COUNTED_ATTEMPTS = 1_000
