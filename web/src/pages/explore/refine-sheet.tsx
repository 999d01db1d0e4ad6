import './refine-panel.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { activeFilters, type Filters, type Refinements } from './filters.ts'
import { RefineFields } from './refine-fields.tsx'

type Props = { filters: Filters; found: string; onChange: (changes: Refinements) => void }

/**
 * Order, price, shape, artist and colour: below the search, on phones, upright and on their side, in a sheet behind a
 * button with their number.
 */
export function RefinePanel({ filters, found, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const isWide = useMedia('(min-width: 45rem) and (min-height: 30rem)')
  if (isWide) return <RefineFields filters={filters} onChange={onChange} />

  const active = activeFilters({ ...filters, search: '', category: '', buyOption: '' }).length
  return (
    <>
      <Button variant="secondary" className="refine-panel__button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Sort and filter{active > 0 && ` (${active})`}
      </Button>
      <Dialog open={open} title="Sort and filter" onClose={() => setOpen(false)}>
        <RefineFields filters={filters} onChange={onChange} />
        <div className="dialog__actions refine-panel__foot">
          <p className="refine-panel__found" role="status">
            {found}
          </p>
          <Button onClick={() => setOpen(false)}>Show works</Button>
        </div>
      </Dialog>
    </>
  )
}
