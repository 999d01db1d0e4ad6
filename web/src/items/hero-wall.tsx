import './hero-wall.css'
import type { Nft } from '@nifty/api/catalog'
import { Link } from 'react-router-dom'
import { itemUrl } from '../paths.ts'
import { useTravel, Work } from './work.tsx'

const frames = [0, 1, 2]

/** Three works on the wall beside the first words. The frames hang before the works arrive. */
export function HeroWall({ items, loading }: { items: Nft[]; loading: boolean }) {
  if (!loading && items.length === 0) return null
  return (
    <div className="hero-wall">
      {frames.map((frame) => (
        <div key={frame} className={`hero-wall__frame hero-wall__frame--${frame}`}>
          {items[frame] && <HeroWork item={items[frame]} first={frame === 0} />}
        </div>
      ))}
    </div>
  )
}

function HeroWork({ item, first }: { item: Nft; first: boolean }) {
  const { travelling, ...journey } = useTravel(item)
  return (
    <Link to={itemUrl(item)} aria-label={item.name} {...journey}>
      <Work
        item={item}
        sizes={first ? '(min-width: 900px) 28vw, 60vw' : '(min-width: 900px) 16vw, 32vw'}
        eager
        travelling={travelling}
      />
    </Link>
  )
}
