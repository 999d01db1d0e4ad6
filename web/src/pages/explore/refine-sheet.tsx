import './refine-sheet.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { activeFilters, type Filters, type Refinements } from './filters.ts'
import { RefineFields } from './refine-fields.tsx'

type Props = { filters: Filters; found: string; onChange: (changes: Refinements) => void }

/** Below this size the fields are in a sheet behind a button, above it in a column beside the works. */
export const useHasColumn = () => useMedia('(min-width: 64rem) and (min-height: 30rem)')

/**
 * The button, with the number of filters chosen there, that opens a sheet with order, price, shape, artist and colour.
 */
export function RefineSheet({ filters, found, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const active = activeFilters({ ...filters, search: '', category: '', buyOption: '' }).length
  return (
    <>
      <Button
        variant="secondary"
        className="refine-sheet__button"
        aria-haspopup="dialog"
        title="Sort and filter"
        onClick={() => setOpen(true)}
      >
        <Icon name="gear" />
        <span className="refine-sheet__words">Sort and filter</span>
        {active > 0 && ` (${active})`}
      </Button>
      <Dialog open={open} title="Sort and filter" onClose={() => setOpen(false)}>
        <RefineFields filters={filters} onChange={onChange} />
        <div className="dialog__actions refine-sheet__foot">
          <p className="refine-sheet__found" role="status">
            {found}
          </p>
          <Button onClick={() => setOpen(false)}>Show works</Button>
        </div>
      </Dialog>
    </>
  )
}
