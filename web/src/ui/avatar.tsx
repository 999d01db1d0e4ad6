import './avatar.css'
import { useState } from 'react'
import { Icon } from './icon.tsx'

/** A round portrait; a placeholder without an image. Decorative: the name is beside it. */
export function Avatar({ src, size = 32 }: { src: string | null | undefined; size?: number }) {
  const [failed, setFailed] = useState<string | null>(null)
  const shown = src && src !== failed ? src : null
  return (
    <span className="avatar" style={{ width: size, height: size }}>
      {shown ? (
        <img
          src={shown}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(shown)}
        />
      ) : (
        <Icon name="user" size={Math.round(size * 0.55)} />
      )}
    </span>
  )
}
