/** When an event is said to have happened: ISO 8601, UTC. Decisions use the database's clock. */
export const moment = () => new Date().toISOString()
