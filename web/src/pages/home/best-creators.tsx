import './best-creators.css'
import { Link } from 'react-router-dom'
import { useCreators } from '../../creators/use-creators.ts'
import { creatorUrl } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'

const shown = 8
const places = Array.from({ length: shown }, (_, place) => place)

/** A grid of those who sold most. */
export function BestCreators() {
  const { creators, loading } = useCreators({ sort: 'best', limit: shown })
  if (!loading && creators.length === 0) return <Empty title="No creators available" />
  return (
    <ul className="best-creators">
      {loading
        ? places.map((place) => (
            <li key={place} className="best-creators__entry" aria-hidden="true">
              <Skeleton className="best-creators__skeleton" />
            </li>
          ))
        : creators.map(({ _id, username, firstName, lastName, avatar, works }) => (
            <li key={_id}>
              <Link to={creatorUrl(username)} className="best-creators__entry">
                <Avatar src={avatar} size={56} />
                <span className="best-creators__who">
                  <span className="best-creators__name">{`${firstName} ${lastName}`.trim() || username}</span>
                  <span className="best-creators__works tabular">
                    {username} · {works} {works === 1 ? 'work' : 'works'}
                  </span>
                </span>
              </Link>
            </li>
          ))}
    </ul>
  )
}
