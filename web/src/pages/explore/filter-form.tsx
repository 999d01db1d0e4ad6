import './filter-form.css'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { paths } from '../../api/paths.ts'
import { Field, Select } from '../../ui/forms/field.tsx'
import { categoryOptions, DEBOUNCE_MS, type Filters, itemsOptions } from './filters.ts'

type Props = {
  filters: Filters
  onChange: (changes: Partial<Filters>, how?: 'replace' | 'push') => void
  /** At the end of the row. */
  children?: ReactNode
}

/** The search field and two dropdowns in one row. Typing is debounced by 300 ms; Enter searches at once. */
export function FilterForm({ filters, onChange, children }: Props) {
  const [text, setText] = useState(filters.search)
  const [sent, setSent] = useState(filters.search)
  const [seen, setSeen] = useState(filters.search)

  // After back or forward the URL differs from the field: the field takes the URL's value, unless more was typed since.
  if (seen !== filters.search) {
    setSeen(filters.search)
    if (filters.search !== sent) {
      setSent(filters.search)
      setText(filters.search)
    }
  }

  const applySearch = (search: string) => {
    if (search === sent) return
    setSent(search)
    onChange({ search }, 'replace')
  }
  const searchAfterPause = useEffectEvent(applySearch)

  useEffect(() => {
    const timer = setTimeout(() => searchAfterPause(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <search>
      <form
        className="filters"
        // For a document whose app has not started.
        action={paths.explore}
        onSubmit={(event) => {
          event.preventDefault()
          applySearch(text.trim())
        }}
      >
        <Field
          label="Search"
          type="search"
          name="search"
          placeholder="Search your keywords"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          label="Categories"
          value={filters.category}
          onChange={(event) => onChange({ category: event.target.value })}
        >
          {categoryOptions.map(({ label, value }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Select
          label="Items"
          value={filters.buyOption}
          onChange={(event) => onChange({ buyOption: event.target.value })}
        >
          {itemsOptions.map(({ label, value }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        {children}
      </form>
    </search>
  )
}
