import './creator-card.css'
import type { Creator } from '@nifty/api/catalog/creators'
import type { ReactNode } from 'react'
import { creatorUrl } from '../../api/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/state.tsx'

type Props = {
  creator: Creator
  /** Thumbnails of the first two items. */
  children: ReactNode
}

/** A creator with two items. */
export function CreatorCard({ creator, children }: Props) {
  const { username, avatar, works } = creator
  return (
    <article className="creator-card">
      <div className="creator-card__works">{children}</div>
      <Link to={creatorUrl(username)} className="creator-card__person">
        <Avatar src={avatar} size={52} />
        <span className="creator-card__names">
          <h2 className="creator-card__name" dir="auto">
            {fullName(creator)}
          </h2>
          <span className="creator-card__username">{username}</span>
        </span>
        {works > 0 && (
          <span className="creator-card__count tabular">
            {works} {works === 1 ? 'work' : 'works'}
          </span>
        )}
      </Link>
    </article>
  )
}

export const CreatorCardSkeleton = () => (
  <div className="creator-card" aria-hidden="true">
    <div className="creator-card__works">
      <Skeleton className="creator-card__frame" />
      <Skeleton className="creator-card__frame" />
    </div>
    <div className="creator-card__person">
      <Skeleton className="creator-card__line" />
    </div>
  </div>
)
