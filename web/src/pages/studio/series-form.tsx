import type { CurrentUser } from '@nifty/api/auth/account'
import type { OwnSeries } from '@nifty/api/catalog/exhibitions'
import { exhibitionLimits } from '@nifty/api/exhibition-limits'
import { useState } from 'react'
import { fieldErrors } from '../../api/api.ts'
import { Artwork } from '../../items/artwork.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { itemLabel } from './item-label.ts'
import type { useSeries } from './use-series.ts'
import { useSeriesWorks } from './use-series-works.ts'

type Props = {
  user: CurrentUser
  /** Absent for a new one. */
  series: OwnSeries | undefined
  save: ReturnType<typeof useSeries>['save']
  onClose: () => void
}

/** Title, text and works of a series. The works stand in the order in which they were chosen. */
export function SeriesForm({ user, series, save, onClose }: Props) {
  const [saved] = useState(series?.itemIds ?? [])
  const [chosen, setChosen] = useState(saved)
  const { works, loading, error, retry, keep, page, pages, setPage } = useSeriesWorks(user.username, saved)
  const items = works.flatMap(({ item }) => item ?? [])
  const { busy, onSubmit, message, fields } = useForm(async ({ text }) => {
    if (chosen.length === 0) return { message: 'Please choose at least one work' }
    const form = { title: text('title'), description: text('description'), itemIds: chosen }
    const outcome = await save(form, series?._id)
    if (!outcome.ok) return { message: outcome.error.message, fields: fieldErrors(outcome.error) }
    toast.success(series ? 'The series was changed' : 'The series was made')
    onClose()
    return undefined
  })
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]))

  return (
    <form className="studio__series-form" onSubmit={onSubmit}>
      <Field
        label="Title"
        name="title"
        required
        maxLength={exhibitionLimits.title}
        defaultValue={series?.title}
        dir="auto"
        // The form opens where its button was.
        autoFocus
        error={fields.title}
      />
      <TextArea
        label="Text"
        name="description"
        rows={4}
        maxLength={exhibitionLimits.description}
        defaultValue={series?.description}
        dir="auto"
        error={fields.description}
      />
      <fieldset className="studio__series-works">
        <legend>Works, in the order in which you choose them</legend>
        {loading && <Spinner label="Loading your works" />}
        {!loading && error && (
          <Empty title="Your works could not be loaded.">
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </Empty>
        )}
        {!loading && !error && works.length === 0 && <Empty title="You have no works to choose from yet." />}
        {works.map(({ id, item, hidden }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={!chosen.includes(id) && chosen.length >= exhibitionLimits.works}
              onChange={() => {
                if (item && !hidden) keep(item)
                toggle(id)
              }}
            />
            <span className="studio__series-picture" aria-hidden="true">
              {item && <Artwork item={item} sizes="40px" />}
            </span>
            <bdi>{item ? itemLabel(item, items) : 'A work'}</bdi>
            {hidden && <span className="studio__note">Hidden</span>}
            {chosen.includes(id) && <span className="studio__note">{chosen.indexOf(id) + 1}</span>}
          </label>
        ))}
        {pages > 1 && (
          <Pagination page={page} pages={pages} hasNext={page < pages} onPage={setPage} label="Pages of your works" />
        )}
      </fieldset>
      {message && (
        <p role="alert" className="studio__series-error">
          {message}
        </p>
      )}
      <p className="studio__series-buttons">
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Save series
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </p>
    </form>
  )
}
