import type { Nft } from '@nifty/api/catalog/public'
import { isAnimatedImage } from '@nifty/api/work-image'

/** The widths in pixels that the API serves, as AVIF or WebP by the `Accept` header. */
export const imageWidths = [320, 640, 960, 1600]

/** The widths of an animation: the API serves none that is wider. */
const animationWidths = [320, 640, 960]

/** Requested for the view on the whole screen only. */
const LARGEST_WIDTH = 2_400

const PREFIX = '/uploads/nfts/'

type Source = Pick<Nft, 'image' | 'display_image_url'>

/** The image source of an item: the store's upload, else `display_image_url`, else the placeholder. */
export function imageOf({ image, display_image_url }: Source): { src: string; srcSet?: string } {
  if (image?.startsWith(PREFIX)) {
    return { src: `${image}?w=640`, srcSet: imageWidths.map((width) => `${image}?w=${width} ${width}w`).join(', ') }
  }
  return { src: display_image_url || '/placeholder.svg' }
}

/** The image for the view on the whole screen. */
export const largestImageOf = (item: Source): string =>
  item.image?.startsWith(PREFIX) ? `${item.image}?w=${LARGEST_WIDTH}` : imageOf(item).src

/** The moving image of an animated work, whose other images are its first frame; undefined for another work. */
export function animationOf({ image }: Source): { src: string; srcSet: string } | undefined {
  if (!image?.startsWith(PREFIX) || !isAnimatedImage(image)) return undefined
  const sizeOf = (width: number) => `${image}?w=${width}&animated=true`
  return { src: sizeOf(640), srcSet: animationWidths.map((width) => `${sizeOf(width)} ${width}w`).join(', ') }
}

/** `sizes` of an artwork in the grid, which is as wide as its column. */
export const gridSizes = '(min-width: 1280px) 22vw, (min-width: 900px) 29vw, 44vw'

/** `sizes` of the three artworks on the home page. */
export const heroSizes = { first: '(min-width: 900px) 30vw, 60vw', others: '(min-width: 900px) 17vw, 33vw' }

/**
 * `sizes` on the item page. On phones slightly less than the real width: the next larger file is twice the size without
 * a visible gain.
 */
export const artSizes = '(min-width: 900px) 56vw, 88vw'
