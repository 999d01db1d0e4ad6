import { cancelAuction } from '@nifty/api/catalog/auctions'
import type { Auction, NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

type Props = {
  auction: Auction
  /** The item of the response; undefined after a refusal: the page then refetches. */
  onChanged: (item: NftDetail | undefined) => void
}

/** For the owner, until a bid stands. */
export function CancelAuction({ auction, onChanged }: Props) {
  const [open, setOpen] = useState(false)
  const [busy, run] = useBusy()
  const cancel = () =>
    run(async () => {
      const outcome = await send(cancelAuction, { params: { id: auction._id } })
      setOpen(false)
      // A bid stands meanwhile, and so the button is gone.
      if (!outcome.ok)
        toast.error(
          outcome.error.code === 'auction_has_bids'
            ? 'A bid stands, so the auction can no longer be cancelled.'
            : outcome.error.message,
        )
      onChanged(outcome.ok ? outcome.data.nft : undefined)
    })
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Cancel the auction
      </Button>
      <Dialog open={open} title="Cancel the auction?" onClose={() => setOpen(false)}>
        <p>
          No bid stands yet. Payment pages of bids that began are closed. Afterwards the work is for sale and takes
          offers as it did before the auction.
        </p>
        <div className="dialog__actions">
          <Button variant="danger" busy={busy} busyLabel="Cancelling..." onClick={() => void cancel()}>
            Cancel the auction
          </Button>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
