/** The links of an artist's profile, in the order in which they are shown. */
export const profileLinks = [
  { field: 'websiteURL', label: 'Website' },
  { field: 'instagramURL', label: 'Instagram' },
  { field: 'twitterURL', label: 'Twitter' },
  { field: 'facebookURL', label: 'Facebook' },
  { field: 'linkedinURL', label: 'LinkedIn' },
  { field: 'youtubeURL', label: 'YouTube' },
] as const

/** `ada.example` as `https://ada.example`; a text with a scheme, or an empty one, as it is. */
export const withScheme = (text: string): string =>
  text.trim() === '' || /^\s*[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text.trim()}`
