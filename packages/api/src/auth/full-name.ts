import type { FoundAccount } from './account-search.ts'

/** First and last name; empty for an operator without the role `support`. */
export const fullNameOf = ({ firstName, lastName }: Pick<FoundAccount, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ')
