/** Kinds of pictures that a work may be. */
export const accepted = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const maxBytes = 20 * 1024 * 1024

/** What is wrong with a file, said before it travels; the store looks at it again. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!accepted.includes(type)) return 'Only PNG, JPEG, GIF or WebP images are allowed'
  if (size > maxBytes) return 'The image may have at most 20 MB'
  return undefined
}
