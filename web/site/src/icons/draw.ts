import { defaultColours, type Theme } from '@nifty/service-kit/base/theme'
import { sharp } from '@nifty/service-kit/images/sharp'
import { displayFont } from '../share-images/fonts.ts'
import { fitText } from '../share-images/text.ts'

const SIZE = 512
/** A mask may cut off what is farther from the middle than 40 % of the width (W3C, Web Application Manifest). */
const SAFE_SIZE = Math.floor((SIZE * 0.8) / Math.SQRT2)

/** What an icon is drawn from; `own`: a picture of the shop's. `size`: pixels of a side. */
type Icon = { own: Buffer | undefined; name: string; theme: Theme; maskable: boolean; size: number }

/** A square PNG. */
export async function drawIcon({ own, name, theme, maskable, size }: Icon): Promise<Buffer> {
  const { background, text } = { ...defaultColours, ...theme }
  const inner = maskable ? SAFE_SIZE : SIZE
  const picture = own
    ? await sharp(own).resize(inner, inner, { fit: 'contain', background }).png().toBuffer()
    : undefined
  const input = picture ?? (await letterOf(name, text))
  const ground = sharp({ create: { width: SIZE, height: SIZE, channels: 3, background } })
  const drawn = await ground
    .composite(input ? [{ input, gravity: 'centre' }] : [])
    .png()
    .toBuffer()
  return size === SIZE ? drawn : sharp(drawn).resize(size).png().toBuffer()
}

async function letterOf(name: string, color: string): Promise<Buffer | undefined> {
  const [first] = new Intl.Segmenter().segment(name.toUpperCase())
  const block = await fitText(first?.segment ?? '', {
    font: displayFont,
    color,
    width: SAFE_SIZE,
    maxHeight: SAFE_SIZE,
    sizes: [340, 240, 160],
  })
  return block?.image
}
