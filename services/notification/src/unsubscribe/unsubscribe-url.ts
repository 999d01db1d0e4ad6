import { pages } from '@nifty/api/pages'

/** Stands in a URL for the token of the unsubscribe link, until the mail is sent. */
export const UNSUBSCRIBE_PLACEHOLDER = 'TOKEN-TO-UNSUBSCRIBE'

/** The page of a mail's unsubscribe link. The token is in the fragment, which browsers send to no server. */
export const unsubscribeUrl = (publicUrl: string, token = UNSUBSCRIBE_PLACEHOLDER) =>
  `${publicUrl}${pages.unsubscribe.path}#${token}`
