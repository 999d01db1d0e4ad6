import type { ColorName, Orientation } from '@nifty/api/market-filters'

/** Sides that differ by less than this share count as equal. */
const SQUARE_TOLERANCE = 0.05

export function orientationOf({ width, height }: { width: number; height: number }): Orientation {
  if (Math.abs(width - height) < SQUARE_TOLERANCE * Math.max(width, height)) return 'square'
  return width > height ? 'landscape' : 'portrait'
}

/** What searches for a picture's colour and shape match. */
export const pictureWords = ({
  colorName,
  orientation,
}: {
  colorName: ColorName
  orientation: Orientation
}): string[] => [colorName, ...(colorName === 'grey' ? ['gray'] : []), orientation]

/** Upper ends of the hues in degrees, in order. */
const hues: [number, ColorName][] = [
  ...([
    [15, 'red'],
    [45, 'orange'],
    [68, 'yellow'],
    [160, 'green'],
  ] as [number, ColorName][]),
  ...([
    [195, 'teal'],
    [255, 'blue'],
    [290, 'purple'],
    [342, 'pink'],
    [360, 'red'],
  ] as [number, ColorName][]),
]

/** The name of a colour, `#rrggbb`. */
export function colorName(color: string): ColorName {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [brightest, darkest] = [Math.max(red!, green!, blue!), Math.min(red!, green!, blue!)]
  const chroma = brightest - darkest
  const lightness = (brightest + darkest) / 2
  if (!Number.isFinite(chroma)) return 'grey'
  if (brightest < 0.12 || (lightness < 0.15 && chroma < 0.08)) return 'black'
  if (lightness > 0.8 && chroma < 0.15) return 'white'
  if (chroma < 0.08) return 'grey'

  const hue = hueOf([red!, green!, blue!], brightest, chroma)
  const name = hues.find(([end]) => hue < end)![1]
  if ((name === 'orange' || name === 'yellow') && (brightest < 0.62 || chroma < 0.25)) return 'brown'
  if (name === 'red' && lightness > 0.7) return 'pink'
  return name
}

/** In degrees, 0 to 360. */
function hueOf([red, green, blue]: [number, number, number], brightest: number, chroma: number): number {
  if (brightest === red) return (60 * ((green - blue) / chroma) + 360) % 360
  if (brightest === green) return 60 * ((blue - red) / chroma) + 120
  return 60 * ((red - green) / chroma) + 240
}
