import './pagination.css'
import { useLayoutEffect, useRef } from 'react'
import { IconButton } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { pageNumbers } from './page-numbers.ts'

type Props = {
  page: number
  hasNext: boolean
  /** Number of pages, if the total is loaded. */
  pages?: number
  onPage: (page: number) => void
  label: string
}

/** Previous, the pages by number, next. Pages start at 1. Without a known number of pages only the present one. */
export function Pagination({ page, hasNext, pages = page, onPage, label }: Props) {
  const nav = useRef<HTMLElement>(null)
  // On the first and the last page the pressed button becomes disabled, and would lose the focus: the other one gets
  // it.
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (nav.current?.contains(focused) && focused?.matches(':disabled'))
      nav.current.querySelector<HTMLElement>('button:enabled')?.focus()
  }, [page, hasNext])
  return (
    <nav ref={nav} className="pagination" aria-label={label}>
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="back" />
      </IconButton>
      <ol className="pagination__pages tabular">
        {pageNumbers(page, pages).map((number, place) =>
          number === 'gap' ? (
            <li key={`gap ${place}`} className="pagination__gap" aria-hidden="true">
              …
            </li>
          ) : (
            <li key={number}>
              <button
                type="button"
                className="pagination__page"
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => number !== page && onPage(number)}
              >
                {number}
              </button>
            </li>
          ),
        )}
      </ol>
      <IconButton label="Next page" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        <Icon name="arrow" />
      </IconButton>
    </nav>
  )
}
