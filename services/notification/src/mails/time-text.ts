/** A time (ISO 8601) as mails show it: `22 November 2026 at 18:40 UTC`. */
export const timeText = (at: string) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))} UTC`
