/** Entries of a statement in one response, unless the request names a number. */
export const STATEMENT_PAGE = 100
export const STATEMENT_PAGE_AT_MOST = 1_000
