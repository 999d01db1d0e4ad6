import type { Nft } from '@nifty/api/catalog/public'

/** The widths that the store keeps. It answers AVIF or WebP, whichever the browser accepts. */
export const imageWidths = [320, 640, 960, 1600]

type Source = Pick<Nft, 'image' | 'display_image_url'>

/** Where the picture of a work comes from: the store's own, else the other address, else the placeholder. */
export function imageOf({ image, display_image_url }: Source): { src: string; srcSet?: string } {
  if (image?.startsWith('/uploads/nfts/')) {
    return { src: `${image}?w=640`, srcSet: imageWidths.map((width) => `${image}?w=${width} ${width}w`).join(', ') }
  }
  return { src: display_image_url || '/placeholder.svg' }
}
