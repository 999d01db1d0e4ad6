import './picture.css'
import { useState } from 'react'
import { markLoaded, useNearWindow } from './use-near-window.ts'

type Props = {
  src: string
  srcSet?: string
  /** The image's width in the layout, for the choice from `srcSet`. */
  sizes?: string
  alt: string
  /** Size of the original; only the ratio is used. */
  width: number
  height: number
  /** Dominant colour, shown while the image loads. */
  color: string
  /**
   * Above the fold: loaded with high priority, without a fade, and shown in the frame in which it replaces the
   * document's.
   */
  eager?: boolean
}

/** An image that reserves its space in its dominant colour, loads when it is near the window, and fades in. */
export function Picture({ src, srcSet, sizes, alt, width, height, color, eager = false }: Props) {
  const [state, setState] = useState<'loading' | 'loaded' | 'missing'>('loading')
  const { isNear, ref } = useNearWindow(src, eager)
  const source = isNear ? { src, srcSet } : {}
  const markIfCached = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setState('loaded')
  }
  return (
    <span
      ref={eager ? undefined : ref}
      className="picture"
      data-state={eager && state === 'loading' ? 'loaded' : state}
      style={{ backgroundColor: color, aspectRatio: `${width} / ${height}` }}
    >
      <img
        ref={markIfCached}
        {...source}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding={eager ? 'sync' : 'async'}
        onLoad={() => {
          markLoaded(src)
          setState('loaded')
        }}
        onError={() => setState('missing')}
      />
    </span>
  )
}
