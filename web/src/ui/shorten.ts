/** `0x1234...abcdef`: the first and last characters; short texts stay whole. */
export const shorten = (text: string, first: number, last: number) =>
  text.length <= first + last ? text : `${text.slice(0, first)}...${text.slice(-last)}`
