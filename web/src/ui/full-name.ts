type Named = { username: string; firstName: string; lastName: string }

/** First and last name, which are optional; else the username. */
export const fullName = ({ username, firstName, lastName }: Named) => `${firstName} ${lastName}`.trim() || username
