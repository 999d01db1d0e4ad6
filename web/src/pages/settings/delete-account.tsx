import type { OpenBid } from '@nifty/api/auth/deletion'
import { useState } from 'react'
import { deleteAccount } from '../../account/profile/use-own-profile.ts'
import { creatorUrl, offersUrl, paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Goodbye } from '../account/goodbye.ts'
import { SettingsSection } from './settings-section.tsx'

type Props = { userId: string; username: string; onDeleted: (goodbye: Goodbye) => Promise<unknown> }

/** Why the store refused the deletion. */
const refusals = [
  'works_in_custody',
  'money_owed',
  'bid_leads',
  'gift_waits',
  'gift_on_its_way',
  'withdrawal_waits',
] as const
type Refusal = (typeof refusals)[number]
const isRefusal = (code: string): code is Refusal => refusals.some((refusal) => refusal === code)

export function DeleteAccount({ userId, username, onDeleted }: Props) {
  const [open, setOpen] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [bids, setBids] = useState<OpenBid[]>([])
  const [busy, run] = useBusy()

  const close = () => {
    setOpen(false)
    setRefusal(undefined)
  }
  const remove = ({ giveUpWorks }: { giveUpWorks: boolean }) =>
    run(async () => {
      const outcome = await deleteAccount(userId, giveUpWorks)
      if (!outcome.ok && isRefusal(outcome.error.code)) {
        const listed = (outcome.error.details.bids ?? []) as OpenBid[]
        // While a bid is raised, the former one leads too. One that is about to stand has no auction yet.
        setBids([...new Map(listed.map((bid) => [bid.auctionId ?? bid.name, bid])).values()])
        return setRefusal(outcome.error.code)
      }
      close()
      if (!outcome.ok) return toast.error('Failed to delete account')
      toast.success('Account deleted successfully')
      await onDeleted({ erasedFrom: outcome.data.erasedFrom })
    })

  return (
    <SettingsSection
      title="Delete account"
      text="Your personal data is deleted. Records of past sales that the law requires us to keep stay, without your name. You get no royalties from later sales of your works."
    >
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog open={open} title="Delete account" onClose={close}>
        <Text refusal={refusal} bids={bids} username={username} />
        <div className="dialog__actions">
          {(refusal === undefined || refusal === 'works_in_custody') && (
            <Button
              variant="danger"
              busy={busy}
              busyLabel="Deleting..."
              onClick={() => void remove({ giveUpWorks: refusal === 'works_in_custody' })}
            >
              {refusal ? 'Give them up and delete' : 'Yes, delete it'}
            </Button>
          )}
          <Button variant="secondary" onClick={close}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}

type TextProps = { refusal: Refusal | undefined; bids: OpenBid[]; username: string }

function Text({ refusal, bids, username }: TextProps) {
  if (refusal === 'money_owed')
    return (
      <p role="alert">
        A sale of yours is under way, so your account cannot be deleted yet. <Link to={paths.orders}>Your orders</Link>{' '}
        show how it ends, within a day.
      </p>
    )
  if (refusal === 'bid_leads')
    return (
      <p role="alert">
        {bids.map(({ auctionId, name, role }) => (
          <span key={auctionId ?? name}>
            {role === 'buyer' ? 'Your bid leads the auction of “' : 'A bid leads your own auction of “'}
            <bdi>{name}</bdi>”.{' '}
          </span>
        ))}
        Bids are binding, so your account can be deleted once{' '}
        {bids.length > 1 ? 'these auctions are' : 'the auction is'} over.{' '}
        {bids.some(({ role }) => role === 'buyer') && <Link to={offersUrl}>Your bids and offers</Link>}
      </p>
    )
  if (refusal === 'gift_waits')
    return (
      <p role="alert">
        A gift of yours waits for its recipient. Take it back first, under “Your gift” on the page of the work:{' '}
        <Link to={creatorUrl(username)}>view your works</Link>. Or wait until it is accepted.
      </p>
    )
  if (refusal === 'withdrawal_waits')
    return (
      <p role="alert">
        Your account was changed, or used on a new device, a short time ago. For your safety it cannot be deleted for up
        to three days while the store keeps works for you or a sale is under way.
      </p>
    )
  if (refusal === 'gift_on_its_way')
    return <p role="alert">A gift that you accepted is on its way to you. Please try again in a few minutes.</p>
  if (refusal === 'works_in_custody')
    return (
      <p role="alert">
        The store keeps works for you. <Link to={creatorUrl(username)}>View them</Link> and withdraw them to your own
        wallet first, at no cost. If you give them up, we can send them to a wallet for 30 more days, with the code of
        our last mail to you.
      </p>
    )
  return <p>Are you sure you want to delete your account? This action is irreversible.</p>
}
