/** State of the goodbye page: when a closed account is erased; null where it is erased already. */
export type Goodbye = { erasedFrom: string | null }

/** The date in the state of a navigation, which may be missing. */
export const erasedFromIn = (state: unknown): string | null => (state as Partial<Goodbye> | null)?.erasedFrom ?? null
