/** What the processor needs of a logger; pino has it. */
export type Log = {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}
