import './avatar.css'
import { useState } from 'react'
import { Icon } from './icon.tsx'
import { markLoaded, useNearWindow } from './use-near-window.ts'

/** Auth stores a portrait a second time, with 144 pixels: enough for circles of half that size. */
const smallPicture = (src: string) => src.replace(/\.webp$/, '-s.webp')

type Props = { src: string | null | undefined; size?: number; initials?: string }

/** A round portrait; without an image the initials or a placeholder. Decorative: the name is beside it. */
export function Avatar({ src, size = 32, initials }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const shown = src && src !== failed ? src : null
  const { isNear, ref } = useNearWindow(shown)
  return (
    <span
      ref={ref}
      className="avatar"
      style={{ width: size, height: size }}
      data-initials={shown ? undefined : initials}
    >
      {shown ? (
        <img
          src={!isNear ? undefined : size > 72 ? shown : smallPicture(shown)}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onLoad={() => markLoaded(shown)}
          onError={() => setFailed(shown)}
        />
      ) : (
        !initials && <Icon name="user" size={Math.round(size * 0.55)} />
      )}
    </span>
  )
}
