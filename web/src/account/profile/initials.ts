/** Of the first and the last word of a name; of a username its first letter. */
export const initialsOf = (name: string) =>
  name
    .replace(/^@/, '')
    .split(' ')
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .map(([first]) => first?.toUpperCase())
    .join('')
