type Named = { username: string; firstName: string; lastName: string }

/** Names are for convenience: whoever gave none goes by the username. */
export const fullName = ({ username, firstName, lastName }: Named) => `${firstName} ${lastName}`.trim() || username
