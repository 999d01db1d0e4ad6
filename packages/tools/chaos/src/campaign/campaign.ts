export type Log = (text: string) => void

/** Measured results; `violations` names each broken invariant. */
export type Report = { metrics: Record<string, number | string>; violations: string[] }

/** Injects one kind of fault into a store of its own under load. */
export type Campaign = (log: Log) => Promise<Report>
