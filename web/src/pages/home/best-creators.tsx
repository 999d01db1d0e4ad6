import './best-creators.css'
import { creatorUrl } from '../../api/paths.ts'
import { useCreators } from '../../creators/use-creators.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'

const shown = 8
const skeletons = Array.from({ length: shown }, (_, index) => index)

/** A grid of the best-selling creators. */
export function BestCreators() {
  const { creators, loading } = useCreators({ sort: 'best', limit: shown })
  if (!loading && creators.length === 0) return <Empty title="No creators available" />
  return (
    <ul className="best-creators">
      {loading
        ? skeletons.map((index) => (
            <li key={index} className="best-creators__entry" aria-hidden="true">
              <Skeleton className="best-creators__skeleton" />
            </li>
          ))
        : creators.map(({ _id, username, avatar, works, ...names }) => (
            <li key={_id}>
              <Link to={creatorUrl(username)} className="best-creators__entry">
                <Avatar src={avatar} size={56} />
                <span className="best-creators__person">
                  <span className="best-creators__name" dir="auto">
                    {fullName({ username, ...names })}
                  </span>
                  <span className="best-creators__works tabular">
                    {username}
                    {works > 0 && ` · ${works} ${works === 1 ? 'work' : 'works'}`}
                  </span>
                </span>
              </Link>
            </li>
          ))}
    </ul>
  )
}
