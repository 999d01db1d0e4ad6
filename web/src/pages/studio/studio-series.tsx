import type { CurrentUser } from '@nifty/api/auth/account'
import type { OwnSeries } from '@nifty/api/catalog/exhibitions'
import { useState } from 'react'
import { exhibitionUrl } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SeriesForm } from './series-form.tsx'
import { useSeries } from './use-series.ts'

/** The artist's series, each with a page of its own. */
export function StudioSeries({ user }: { user: CurrentUser }) {
  const { series, error, reload, save, remove } = useSeries()
  const [edited, setEdited] = useState<OwnSeries | 'new'>()
  const [busy, run] = useBusy()
  const removeOne = ({ _id, title }: OwnSeries) =>
    run(async () => {
      const outcome = await remove(_id)
      if (!outcome.ok) return void toast.error(outcome.error.message)
      toast.success(`"${title}" was removed. Its works stay.`)
    })

  return (
    <section aria-labelledby="series">
      <h2 id="series" tabIndex={-1}>
        Series
      </h2>
      <p className="studio__note">Works that belong together, with a page of their own and on your profile.</p>
      {!series && !error && <Spinner label="Loading your series" />}
      {!series && error && (
        <Empty title="Your series could not be loaded.">
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </Empty>
      )}
      <ul className="studio__series">
        {series?.map((one) => (
          <li key={one._id}>
            <Link to={exhibitionUrl(one.slug)} className="studio__name plain-link">
              <bdi>{one.title}</bdi>
            </Link>
            <span className="studio__note">
              {one.itemIds.length} {one.itemIds.length === 1 ? 'work' : 'works'}
            </span>
            <Button variant="secondary" aria-label={`Change ${one.title}`} onClick={() => setEdited(one)}>
              Change
            </Button>
            <Button
              variant="secondary"
              busy={busy}
              aria-label={`Remove ${one.title}`}
              onClick={() => void removeOne(one)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {edited ? (
        <SeriesForm
          key={edited === 'new' ? 'new' : edited._id}
          user={user}
          series={edited === 'new' ? undefined : edited}
          save={save}
          onClose={() => setEdited(undefined)}
        />
      ) : (
        series && (
          <Button variant="secondary" onClick={() => setEdited('new')}>
            New series
          </Button>
        )
      )}
    </section>
  )
}
