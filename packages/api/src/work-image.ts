/** Works of at most so many pixels on each side are enlarged with hard edges. */
export const SMALL_SIDE_PX = 400

export const isSmallWork = ({ width, height }: { width: number; height: number }) =>
  width > 0 && height > 0 && width <= SMALL_SIDE_PX && height <= SMALL_SIDE_PX

/** The display sizes of such an image move where `animated=true` is asked for. `image`: its file or its path. */
export const isAnimatedImage = (image: string) => image.includes('-animated.')

/**
 * The name under which a work is saved: its own, without what file systems refuse or hide. A name of 80 letters in any
 * script has at most 240 bytes.
 */
export function originalFileName(name: string, extension: string): string {
  const plain = name
    .normalize('NFC')
    // Joiners belong to words of Persian and Hindi, and to emoji; other invisible letters turn a name around.
    .replaceAll(/(?![\u200c\u200d])[\p{C}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain)
  return `${isReserved ? 'Work ' : ''}${plain || 'Work'}.${extension}`
}
