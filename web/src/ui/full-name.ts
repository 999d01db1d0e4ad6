type Named = { username: string; firstName: string; lastName: string }

/** First and last name, which are optional; else the username. */
export const fullName = ({ username, firstName, lastName }: Named) => `${firstName} ${lastName}`.trim() || username

/** Of the first and the last word of a name; of a username its first letter. */
export const initialsOf = (name: string) =>
  name
    .replace(/^@/, '')
    .split(' ')
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .map(([first]) => first?.toUpperCase())
    .join('')
