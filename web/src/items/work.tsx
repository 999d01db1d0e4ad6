import './work.css'
import type { Nft } from '@nifty/api/catalog'
import { useState, ViewTransition } from 'react'
import { flushSync } from 'react-dom'
import { Picture } from '../ui/picture.tsx'
import { imageOf } from './item-image.ts'

/** What has to be known to hang a work. */
export type Hung = Pick<Nft, '_id' | 'name' | 'image' | 'display_image_url' | 'width' | 'height' | 'color'>

type Props = {
  item: Hung
  sizes: string
  eager?: boolean
  /** The picture flies between two pages. One place per page may say so for one work. */
  travelling?: boolean
}

/** A work on the wall: its own aspect ratio, as large as its frame allows. */
export function Work({ item, sizes, eager, travelling = false }: Props) {
  const { name, color } = item
  // A work whose size nobody measured hangs as a portrait.
  const width = item.width || 4
  const height = item.height || 5
  const art = (
    <span className="work__canvas" style={{ '--ratio': width / height }}>
      <Picture {...imageOf(item)} sizes={sizes} alt={name} width={width} height={height} color={color} eager={eager} />
    </span>
  )
  return (
    <span className="work">{travelling ? <ViewTransition name={`work-${item._id}`}>{art}</ViewTransition> : art}</span>
  )
}

/** For a card: only the one that was clicked gives its picture to the next page. */
export function useTravel(item: Hung) {
  const [travelling, setTravelling] = useState(false)
  const { _id, name, image, display_image_url, width, height, color } = item
  const traveller: Hung = { _id, name, image, display_image_url, width, height, color }
  return { travelling, state: { traveller }, onClick: () => flushSync(() => setTravelling(true)) }
}

/** The work that a link brought along, so that the next page can hang it before the store has answered. */
export function travellerIn(state: unknown): Hung | undefined {
  return (state as { traveller?: Hung } | null)?.traveller
}
