import { sharp } from '@nifty/service-kit/images/sharp'
import type { OverlayOptions } from 'sharp'
import { SHARE_HEIGHT, SHARE_WIDTH, type ShareCard } from './card.ts'
import { displayFont, textFont } from './fonts.ts'
import type { Look } from './look.ts'
import { type Block, fitText } from './text.ts'

const MARGIN = 40
const GAP = 16

/** The box of the pictures, in pixels; the text stands beside it. */
const box = { left: MARGIN, top: MARGIN, width: 560, height: SHARE_HEIGHT - 2 * MARGIN }
const column = { left: box.left + box.width + 48, width: SHARE_WIDTH - MARGIN - (box.left + box.width + 48) }
const TITLE_SIZES = [68, 58, 48, 40]
const TITLE_HEIGHT = 300

/** A JPEG of 1200 × 630 pixels. `pictures`: the bytes of the card's pictures, without those that could not be read. */
export async function renderShareImage(card: ShareCard, pictures: Buffer[], look: Look): Promise<Buffer> {
  const { background, picture } = look
  const behind = picture ? [{ input: picture, left: 0, top: 0 }] : []
  const layers = [...behind, ...(await picturesOf(pictures)), ...(await textsOf(card, look))]
  return sharp({ create: { width: SHARE_WIDTH, height: SHARE_HEIGHT, channels: 3, background } })
    .composite(layers)
    .jpeg({ quality: 84, progressive: true })
    .toBuffer()
}

/** One picture keeps its own shape; several fill the box, the first one half of it. */
async function picturesOf(pictures: Buffer[]): Promise<OverlayOptions[]> {
  const [first] = pictures
  if (!first) return []
  if (pictures.length === 1) {
    const { data, info } = await sharp(first)
      .resize({ width: box.width, height: box.height, fit: 'inside' })
      .toBuffer({ resolveWithObject: true })
    const left = box.left + Math.round((box.width - info.width) / 2)
    return [{ input: data, left, top: box.top + Math.round((box.height - info.height) / 2) }]
  }
  const half = { width: (box.width - GAP) / 2, height: (box.height - GAP) / 2 }
  const right = box.left + half.width + GAP
  const areas = [
    { left: box.left, top: box.top, width: half.width, height: box.height },
    { left: right, top: box.top, width: half.width, height: pictures.length === 2 ? box.height : half.height },
    { left: right, top: box.top + half.height + GAP, ...half },
  ]
  return Promise.all(
    pictures.slice(0, areas.length).map(async (picture, index) => {
      const { left, top, width, height } = areas[index]!
      return { input: await sharp(picture).resize({ width, height, fit: 'cover' }).toBuffer(), left, top }
    }),
  )
}

/** Artist, title and price from the top, the name of the store at the bottom. */
async function textsOf({ artist, title, price, store }: ShareCard, { text, muted }: Look): Promise<OverlayOptions[]> {
  const { width } = column
  const small = { font: textFont, width, maxHeight: 84 }
  const blocks: (Block | undefined)[] = [
    await fitText(artist, { ...small, sizes: [34, 28], color: muted }),
    await fitText(title, { font: displayFont, width, sizes: TITLE_SIZES, maxHeight: TITLE_HEIGHT, color: text }),
    await fitText(price, { ...small, sizes: [44], color: text }),
  ]
  let top = MARGIN + 8
  const layers: OverlayOptions[] = []
  for (const block of blocks) {
    if (!block) continue
    layers.push({ input: block.image, left: column.left, top })
    top += block.height + 28
  }
  const mark = await fitText(store, { font: displayFont, width, sizes: [36, 28], maxHeight: 84, color: text })
  if (mark) layers.push({ input: mark.image, left: column.left, top: SHARE_HEIGHT - MARGIN - mark.height })
  return layers
}
