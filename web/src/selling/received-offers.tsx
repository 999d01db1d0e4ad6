import './received-offers.css'
import type { ReceivedOffer } from '@nifty/api/catalog/offers'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import type { ApiError } from '../api/api.ts'
import { creatorUrl, itemUrl } from '../api/paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Price } from '../ui/price.tsx'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { acceptOffer, declineOffer } from './use-received-offers.ts'
import { useYouGet } from './you-get.tsx'

type Props = {
  offers: ReceivedOffer[]
  /** Names the work of each offer. */
  named?: boolean
  /** Has the owner sign a permit for a token in the owner's wallet. Resolves to whether the store has it. */
  signPermit: (token: ReceivedOffer) => Promise<boolean>
  /** An offer was accepted or declined, or is over: the list and its work are to be fetched again. */
  onChanged: () => Promise<unknown>
}

/** The offers for works of the owner, who accepts or declines them. */
export function ReceivedOffers({ offers, named = false, signPermit, onChanged }: Props) {
  /** What was done, or why it was not: its offer may be gone from the list. */
  const [note, setNote] = useState('')
  /** By id of the order, so that the dialog stays open while the list changes. */
  const [asked, setAsked] = useState<{ offer: ReceivedOffer; to: 'accept' | 'decline' }>()
  const [busy, run] = useBusy()

  const ask = (offer: ReceivedOffer, to: 'accept' | 'decline') => {
    setNote('')
    setAsked({ offer, to })
  }
  const close = () => setAsked(undefined)
  const done = async (text: string) => {
    // First the list: a decided offer has no buttons when the dialog closes.
    await onChanged()
    setNote(text)
    close()
  }
  const accept = (offer: ReceivedOffer) =>
    run(async () => {
      setNote('')
      let outcome = await acceptOffer(offer)
      if (!outcome.ok && outcome.error.code === 'permit_required') {
        setNote('The work is in your own wallet. Sign once in your wallet, so that it can be delivered to the buyer.')
        if (!(await signPermit(offer))) return
        outcome = await acceptOffer(offer)
      }
      if (outcome.ok) return done(`You accepted the offer of ${formatPrice(offer.price)}. The work is being delivered.`)
      await done(refusalOf(outcome.error))
    })
  const decline = (offer: ReceivedOffer) =>
    run(async () => {
      const outcome = await declineOffer(offer)
      const text = `You declined the offer of ${formatPrice(offer.price)}. The hold on the buyer's card is given back.`
      await done(outcome.ok ? text : refusalOf(outcome.error))
    })

  return (
    <div className="received">
      {!asked && note && <Notice>{note}</Notice>}
      {offers.length > 0 && (
        <ul className="received__list" aria-label="Offers" tabIndex={-1}>
          {offers.map((offer, place) => (
            <li key={offer.orderId}>
              <Row offer={offer} named={named} isFirst={place === 0} onAsk={(to) => ask(offer, to)} />
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={asked !== undefined}
        title={asked?.to === 'decline' ? 'Decline the offer?' : 'Accept the offer?'}
        onClose={close}
      >
        {asked && (
          <>
            {asked.to === 'accept' ? (
              <Terms offer={asked.offer} />
            ) : (
              <p>
                The hold of <Price euros={asked.offer.price} /> on the buyer's card is given back at once.
              </p>
            )}
            {note && <Notice>{note}</Notice>}
            <div className="dialog__actions">
              {asked.to === 'accept' ? (
                <Button busy={busy} busyLabel="Accepting..." onClick={() => void accept(asked.offer)}>
                  {`Accept ${formatPrice(asked.offer.price)}`}
                </Button>
              ) : (
                <Button variant="danger" busy={busy} busyLabel="Declining..." onClick={() => void decline(asked.offer)}>
                  Decline the offer
                </Button>
              )}
              <Button variant="secondary" onClick={close}>
                Not yet
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </div>
  )
}

type RowProps = { offer: ReceivedOffer; named: boolean; isFirst: boolean; onAsk: (to: 'accept' | 'decline') => void }

function Row({ offer, named, isFirst, onAsk }: RowProps) {
  const { name, price, royaltyPercent, buyerUsername, endsAt, state } = offer
  const youGet = useYouGet(price, royaltyPercent)
  const ofWork = `${formatPrice(price)}${named ? ` for ${name}` : ''}`
  return (
    <div className="received__offer">
      <p className="received__price">
        <Price euros={price} />
        {named && (
          <>
            {' for '}
            <Link to={itemUrl({ ...offer, ownerUsername: null })}>
              <bdi>{name}</bdi>
            </Link>
          </>
        )}
      </p>
      <p className="notice">
        {buyerUsername ? (
          <>
            {'By '}
            <Link to={creatorUrl(buyerUsername)}>
              <bdi>{buyerUsername}</bdi>
            </Link>
          </>
        ) : (
          'By a deleted account'
        )}
        {state === 'open' && (
          <>
            {', until '}
            <Time at={endsAt} />
          </>
        )}
      </p>
      <p className="notice">{youGet}</p>
      {state === 'accepted' ? (
        <p role="status">Accepted: the work is being delivered. Your share is booked once it has arrived.</p>
      ) : (
        <div className="received__actions">
          {/* A list has one accent. */}
          <Button
            variant={isFirst ? 'primary' : 'secondary'}
            aria-label={`Accept ${ofWork}`}
            onClick={() => onAsk('accept')}
          >
            Accept
          </Button>
          <Button variant="secondary" aria-label={`Decline ${ofWork}`} onClick={() => onAsk('decline')}>
            Decline
          </Button>
        </div>
      )}
    </div>
  )
}

function Terms({ offer: { name, price, buyerUsername, royaltyPercent } }: { offer: ReceivedOffer }) {
  const youGet = useYouGet(price, royaltyPercent)
  return (
    <>
      <p>
        You sell “<bdi>{name}</bdi>”
        {buyerUsername && (
          <>
            {' to '}
            <bdi>{buyerUsername}</bdi>
          </>
        )}{' '}
        for <Price euros={price} />. This cannot be undone. The buyer's card is charged once the work has arrived.
      </p>
      <p className="you-get">{youGet}</p>
    </>
  )
}

/** Why an offer could not be accepted or declined. */
function refusalOf({ code, details, message }: ApiError): string {
  switch (code) {
    case 'item_reserved':
      return 'Somebody is paying for this work right now. Please try again in some minutes; the offer stays open.'
    case 'offer_over':
      return details.why === 'withdrawn' ? 'The buyer withdrew this offer.' : 'This offer is no longer open.'
    case 'offer_not_found':
      return 'This offer is no longer open.'
    case 'permit_required':
      return 'The work is in your own wallet, and was not accepted for delivery. Please sign once more.'
    default:
      return message
  }
}
