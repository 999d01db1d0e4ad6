/** What a username may consist of, for the person who chooses one. */
export const USERNAME_CHARACTERS = 'Letters a to z, digits, “_”, “.” and “-”, at most 30.'
