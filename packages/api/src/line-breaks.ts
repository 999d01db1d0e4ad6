/**
 * A text of several lines as it is counted, hashed and stored: with LF. Multipart forms carry CR LF for each line break
 * that was typed.
 */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')
