export type Say = (text: string) => void

/** What was done and seen; `faults` are promises that were broken, in words. */
export type Report = { figures: Record<string, number | string>; faults: string[] }

/** Breaks one kind of thing in a store of its own while people use it. */
export type Campaign = (say: Say) => Promise<Report>
