import type { NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { downloadOriginal } from '../../minting/download-original.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'

/** For the owner of a work: its file as the artist uploaded it. */
export function OriginalFile({ item }: { item: NftDetail }) {
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState('')
  const download = () =>
    run(async () => {
      setProblem('')
      const error = await downloadOriginal(item)
      if (error) setProblem(error.status === 404 ? 'The store does not have the file of this work.' : error.message)
    })
  return (
    <section className="panel__part">
      <div>
        <Button variant="secondary" busy={busy} busyLabel="Downloading..." onClick={() => void download()}>
          Download the original
        </Button>
      </div>
      <Notice>The file that the artist uploaded, in full size.</Notice>
      {problem && <Notice kind="error">{problem}</Notice>}
    </section>
  )
}
