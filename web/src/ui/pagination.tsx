import './pagination.css'
import { useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

type Props = {
  page: number
  hasNext: boolean
  /** Number of pages, if the total is loaded. */
  pages?: number
  onPage: (page: number) => void
  label: string
}

/** Previous, page number, next. Pages start at 1. */
export function Pagination({ page, hasNext, pages, onPage, label }: Props) {
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
