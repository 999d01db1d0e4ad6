import { sharp } from '@nifty/service-kit/images/sharp'
import { escapeHtml } from './escape-html.ts'

export type Block = { image: Buffer; width: number; height: number }

type Style = { font: string; width: number; color: string }
type Fit = Style & { sizes: number[]; maxHeight: number }

/** A text on a transparent ground, at most `width` pixels wide; a word that is wider breaks. `size` in pixels. */
async function drawText(text: string, { font, width, size, color }: Style & { size: number }): Promise<Block> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}" insert_hyphens="false">${escapeHtml(text)}</span>`,
      font: `${font} ${size}`,
      width,
      wrap: 'word-char',
      rgba: true,
      dpi: 72,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { image: data, width: info.width, height: info.height }
}

/**
 * A text in the largest of `sizes` with which it is at most `maxHeight` pixels high; beyond the smallest it ends with
 * "…". Undefined for an empty text.
 */
export async function fitText(text: string, { sizes, maxHeight, ...style }: Fit): Promise<Block | undefined> {
  const written = text.trim()
  if (written === '') return undefined
  for (const size of sizes) {
    const block = await drawText(written, { ...style, size })
    if (block.height <= maxHeight && block.width <= style.width) return block
  }
  const size = sizes.at(-1)!
  const letters = [...new Intl.Segmenter().segment(written)].map(({ segment }) => segment)
  for (let count = letters.length - 1; count > 0; count = Math.floor(count * 0.9)) {
    const block = await drawText(`${letters.slice(0, count).join('').trimEnd()}…`, { ...style, size })
    if (block.height <= maxHeight && block.width <= style.width) return block
  }
  return undefined
}
