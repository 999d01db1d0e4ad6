import './picture.css'
import { useState } from 'react'

type Props = {
  src: string
  srcSet?: string
  /** The width the layout gives it, for the browser to choose from `srcSet`. */
  sizes?: string
  alt: string
  /** Of the original; only their ratio matters here. */
  width: number
  height: number
  /** Dominant colour: what is seen until the picture is there. */
  color: string
  /** Above the fold: loaded first and shown without a fade. */
  eager?: boolean
}

/** A picture that takes its room at once, in its own colour, and fades in. */
export function Picture({ src, srcSet, sizes, alt, width, height, color, eager = false }: Props) {
  const [state, setState] = useState<'loading' | 'there' | 'missing'>('loading')
  const seen = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setState('there')
  }
  return (
    <span
      className="picture"
      data-state={eager && state === 'loading' ? 'there' : state}
      style={{ backgroundColor: color, aspectRatio: `${width} / ${height}` }}
    >
      <img
        ref={seen}
        src={src}
        srcSet={srcSet}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        onLoad={() => setState('there')}
        onError={() => setState('missing')}
      />
    </span>
  )
}
