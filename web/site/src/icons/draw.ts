import { defaultColours, type Theme } from '@nifty/service-kit/base/theme'
import { sharp } from '@nifty/service-kit/images/sharp'
import { displayFont } from '../share-images/fonts.ts'
import { fitText } from '../share-images/text.ts'

const SIZE = 512
/** A mask may cut off what is farther from the middle than 40 % of the width (W3C, Web Application Manifest). */
const SAFE_SIZE = Math.floor((SIZE * 0.8) / Math.SQRT2)

/** What an icon is drawn from; `own`: a picture of the shop's. */
type Icon = { own: Buffer | undefined; name: string; theme: Theme; maskable: boolean }

/** A PNG of 512 × 512 pixels. */
export async function drawIcon({ own, name, theme, maskable }: Icon): Promise<Buffer> {
  const { background, text } = { ...defaultColours, ...theme }
  const size = maskable ? SAFE_SIZE : SIZE
  const picture = own ? await sharp(own).resize(size, size, { fit: 'contain', background }).png().toBuffer() : undefined
  const input = picture ?? (await letterOf(name, text))
  const ground = sharp({ create: { width: SIZE, height: SIZE, channels: 3, background } })
  return ground
    .composite(input ? [{ input, gravity: 'centre' }] : [])
    .png()
    .toBuffer()
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
