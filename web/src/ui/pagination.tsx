import './pagination.css'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

type Props = {
  page: number
  hasNext: boolean
  /** How many pages there are, where that is known. */
  pages?: number
  onPage: (page: number) => void
  label: string
}

/** Previous, page number, next. Pages start at 1. */
export function Pagination({ page, hasNext, pages, onPage, label }: Props) {
  return (
    <nav className="pagination" aria-label={label}>
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="back" />
      </IconButton>
      <span className="tabular" aria-current="page">
        <span className="visually-hidden">Page </span>
        {page}
      </span>
      {pages !== undefined && <span className="pagination__of tabular">of {pages}</span>}
      <IconButton label="Next page" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        <Icon name="arrow" />
      </IconButton>
    </nav>
  )
}
