import './active-filters.css'
import { Icon } from '../../ui/icon.tsx'
import { activeFilters, type Filters } from './filters.ts'

type Props = { filters: Filters; onChange: (changes: Partial<Filters>) => void; onClear: () => void }

/** Every active filter with a button that removes it, and one that removes all. */
export function ActiveFilters({ filters, onChange, onClear }: Props) {
  const active = activeFilters(filters)
  if (active.length === 0) return null
  return (
    <ul className="active-filters" aria-label="Active filters">
      {active.map(({ label, without }) => (
        <li key={label}>
          <button type="button" className="active-filters__remove" onClick={() => onChange(without)}>
            <span className="visually-hidden">Remove filter: </span>
            <span className="active-filters__label">{label}</span>
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="active-filters__all" onClick={onClear}>
          Clear all
        </button>
      </li>
    </ul>
  )
}
