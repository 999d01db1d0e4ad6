/** The image types that an item may have. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const maxBytes = 20 * 1024 * 1024

/** Checks a file before the upload; returns the message to show. The server checks it again. */
export function checkImage({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!imageTypes.includes(type)) return 'Only PNG, JPEG, GIF or WebP images are allowed'
  if (size > maxBytes) return 'The image may have at most 20 MB'
  return undefined
}
