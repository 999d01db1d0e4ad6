import type { Nft } from '@nifty/api/catalog/public'
import { escapeHtml } from '../share-images/escape-html.ts'

export type Work = Pick<Nft, 'name' | 'image' | 'width' | 'height' | 'color'>

const WORKS = '/uploads/nfts/'

/** `%1.name%` is the name of the second work; `web/src/app/prerender.tsx` writes them. */
const placeholder = /%(\d)\.(\w+)%/g

/** Fills in the works of prerendered markup. Empty if one is missing, or cannot be shown as the page will show it. */
export function fillMarkup(markup: string, works: Work[]): string {
  const valuesOf = works.map(valuesOfWork)
  const needed = [...markup.matchAll(placeholder)].map(([, index]) => valuesOf[Number(index)])
  if (!needed.every(Boolean)) return ''
  return markup.replace(placeholder, (_all, index, name) => escapeHtml(valuesOf[Number(index)]![name]!))
}

function valuesOfWork({ name, image, width, height, color }: Work): Record<string, string> | undefined {
  if (!image?.startsWith(WORKS) || !/^#[0-9a-f]{6}$/i.test(color) || !(width > 0 && height > 0)) return
  return { name, file: image.slice(WORKS.length), color, width: String(width), height: String(height) }
}
