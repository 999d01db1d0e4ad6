/** The image types that an item may have. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const maxBytes = 20 * 1024 * 1024

/** Other names that systems have for the same types; some know none for a file. */
const otherNames = ['', 'image/jpg', 'image/pjpeg', 'image/x-png', 'image/apng']

/** Checks a file before the upload; returns the message to show. The server decides by its content. */
export function checkImage({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (![...imageTypes, ...otherNames].includes(type)) return 'Only PNG, JPEG, GIF or WebP images are allowed'
  if (size > maxBytes) return 'The image may have at most 20 MB'
  return undefined
}
