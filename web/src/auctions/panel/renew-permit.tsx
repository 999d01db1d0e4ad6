import type { NftDetail } from '@nifty/api/catalog/public'
import { requestPermit } from '@nifty/api/minting/public'
import { useState } from 'react'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'
import { momentText } from '../auction-state.ts'
import { permitTermOf } from './permit-term.ts'

const unsigned =
  'You have not signed. Please sign with the wallet that holds the work, in a browser that has this wallet.'

type Props = { item: NftDetail; hours: number; now: number }

/**
 * For the owner of a work in a wallet whose auction waits for its first bid: nothing is shown while the permit lasts
 * for it, else a new one can be signed.
 */
export function RenewPermit({ item, hours, now }: Props) {
  const { contract, identifier } = item
  const { data, mutate } = useEndpoint(requestPermit, { params: { contract, identifier } })
  const signPermit = useSignPermit()
  const [busy, run] = useBusy()
  const [message, setMessage] = useState('')
  const term = data && permitTermOf({ hours, validUntil: data.validUntil }, now)
  if (!term || term.state === 'long') return null

  const sign = () =>
    run(async () => {
      const hasSigned = await signPermit(item)
      setMessage(hasSigned ? '' : unsigned)
      if (!hasSigned) return
      await mutate()
      toast.success('Signed. The auction goes on as before.')
    })

  return (
    <>
      <Notice kind={term.state === 'short' ? 'error' : 'info'}>
        {term.state === 'ending'
          ? `From ${momentText(new Date(term.from).toISOString(), now)} on bids are refused, because your permit to deliver this work from your wallet ends too soon. Sign a longer one. Signing is free.`
          : 'Bids are refused: your permit to deliver this work from your wallet does not last until after the auction. Sign a longer one. Signing is free.'}
      </Notice>
      <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void sign()}>
        Sign a longer permit
      </Button>
      {message && <Notice kind="error">{message}</Notice>}
    </>
  )
}
