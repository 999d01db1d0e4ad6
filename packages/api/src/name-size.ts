/** In characters. */
const LONGEST_SHORT_NAME = 8

/** Whether the name of the store has room beside the other parts of the bar. Apart, because browsers load it. */
export const sizeOfName = (name: string) => (name.length > LONGEST_SHORT_NAME ? 'long' : 'short')
