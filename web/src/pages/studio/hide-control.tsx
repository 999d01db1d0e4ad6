import type { NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { useSetHidden } from '../../items/visibility/visibility.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

/** For the owner of a work that is not for sale: hides it from the public pages. */
export function HideControl({ item }: { item: NftDetail }) {
  const setHidden = useSetHidden()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState('')
  if (item.forSale || item.reserved || item.listingPending) return null

  const hide = () =>
    run(async () => {
      const outcome = await setHidden(item, true)
      if (outcome.ok) toast.success(`"${item.name}" is hidden. You find it below your works.`)
      else setProblem(outcome.error.message)
    })

  return (
    <section className="panel__part">
      <h2 className="panel__label">On public pages</h2>
      <Notice>
        Visitors can see this work. Once hidden it is shown in your studio only; the token stays on the chain.
      </Notice>
      <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void hide()}>
        Hide this work
      </Button>
      {problem && <Notice kind="error">{problem}</Notice>}
    </section>
  )
}
