import './best-creators.css'
import { creatorUrl } from '../../api/paths.ts'
import { useCreators } from '../../creators/use-creators.ts'
import { homeText } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'

const shown = 8
const skeletons = Array.from({ length: shown }, (_, index) => index)

/** A grid of the best-selling creators; nothing where there is none beside works. */
export function BestCreators({ hasWorks }: { hasWorks: boolean }) {
  const { creators, loading, error } = useCreators({ sort: 'best', limit: shown })
  const text = homeText()
  const isEmpty = !loading && creators.length === 0
  if (isEmpty && hasWorks && !error) return null
  return (
    <section className="home-section wrap" aria-labelledby="best-creators">
      <div className="section-head">
        <h2 id="best-creators" lang={text.lang}>
          {text.creators}
        </h2>
      </div>
      {isEmpty && <Empty title="No creators available" />}
      {!isEmpty && (
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
      )}
    </section>
  )
}
