/** "1 event", "2 events". */
export const plural = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`
