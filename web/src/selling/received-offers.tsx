import './received-offers.css'
import type { ReceivedOffer } from '@nifty/api/catalog/offers'
import { formatPrice } from '@nifty/api/price'
import { useId, useState } from 'react'
import type { ApiError, Outcome } from '../api/api.ts'
import { creatorUrl, itemUrl } from '../api/paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Price } from '../ui/price.tsx'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
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
  /** What is to be done meanwhile, in the dialog. */
  const [note, setNote] = useState('')
  const [refusal, setRefusal] = useRefusal(offers)
  /** By id of the order, so that the dialog stays open while the list changes. */
  const [asked, setAsked] = useState<{ offer: ReceivedOffer; to: 'accept' | 'decline' }>()
  const [busy, run] = useBusy()

  const ask = (offer: ReceivedOffer, to: 'accept' | 'decline') => {
    setNote('')
    setRefusal('')
    setAsked({ offer, to })
  }
  const close = () => setAsked(undefined)
  /** `text`: what was done, unless it was refused. */
  const done = async (outcome: Outcome<unknown>, text: string) => {
    // First the list: a decided offer has no buttons when the dialog closes.
    await onChanged()
    if (outcome.ok) toast.success(text)
    else setRefusal(refusalOf(outcome.error))
    close()
  }
  const accept = (offer: ReceivedOffer) =>
    run(async () => {
      setNote('')
      let outcome = await acceptOffer(offer)
      if (!outcome.ok && outcome.error.code === 'permit_required') {
        setNote('The work is in your own wallet. Sign once in your wallet, so that it can be delivered to the buyer.')
        if (!(await signPermit(offer))) {
          setNote(
            'You have not signed, so the offer is not accepted. It stays open. Please sign with the wallet that holds the work, in a browser that has this wallet.',
          )
          return
        }
        outcome = await acceptOffer(offer)
      }
      await done(outcome, `You accepted the offer of ${formatPrice(offer.price)}. The work is being delivered.`)
    })
  const decline = (offer: ReceivedOffer) =>
    run(async () => {
      const text = `You declined the offer of ${formatPrice(offer.price)}. The hold on the buyer's card is given back.`
      await done(await declineOffer(offer), text)
    })

  return (
    <div className="received">
      {!asked && refusal && <Notice>{refusal}</Notice>}
      {offers.length > 0 && (
        <ul className="received__list" aria-label="Offers" tabIndex={-1}>
          {offers.map((offer, place) => (
            <li key={offer.orderId}>
              <Row
                offer={offer}
                named={named}
                isFirst={place === 0}
                waits={waitsFor(offer, offers)}
                onAsk={(to) => ask(offer, to)}
              />
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
              <Terms offer={asked.offer} others={othersOf(asked.offer, offers).length} />
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

/** Why an offer could not be accepted or declined, until the list changes. */
function useRefusal(offers: ReceivedOffer[]) {
  const list = offers.map(({ orderId, state, reserved }) => `${orderId} ${state} ${reserved}`).join()
  const [refusal, setRefusal] = useState<{ text: string; shownWith?: string }>({ text: '' })
  const { text, shownWith } = refusal
  if (text && shownWith === undefined) setRefusal({ text, shownWith: list })
  return [
    shownWith === undefined || shownWith === list ? text : '',
    (next: string) => setRefusal({ text: next }),
  ] as const
}

/** The other open offers for the work of an offer. */
const othersOf = ({ itemId, orderId }: ReceivedOffer, offers: ReceivedOffer[]) =>
  offers.filter((other) => other.itemId === itemId && other.orderId !== orderId && other.state === 'open')

/** Why an open offer cannot be accepted now, if so. */
function waitsFor({ itemId, state, reserved }: ReceivedOffer, offers: ReceivedOffer[]): string | undefined {
  if (state !== 'open') return undefined
  if (offers.some((other) => other.itemId === itemId && other.state === 'accepted'))
    return 'You have accepted another offer for this work. This one ends once the work has arrived; if it cannot arrive, you can accept this one.'
  return reserved ? 'Somebody is paying for this work right now, so you cannot accept this offer yet.' : undefined
}

type RowProps = {
  offer: ReceivedOffer
  named: boolean
  isFirst: boolean
  /** Why it cannot be accepted now. */
  waits: string | undefined
  onAsk: (to: 'accept' | 'decline') => void
}

function Row({ offer, named, isFirst, waits, onAsk }: RowProps) {
  const reasonId = useId()
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
        <>
          {waits && (
            <p id={reasonId} role="status">
              {waits}
            </p>
          )}
          <div className="received__actions">
            {/* A list has one accent. */}
            <Button
              variant={isFirst ? 'primary' : 'secondary'}
              aria-label={`Accept ${ofWork}`}
              disabled={waits !== undefined}
              aria-describedby={waits && reasonId}
              onClick={() => onAsk('accept')}
            >
              Accept
            </Button>
            <Button variant="secondary" aria-label={`Decline ${ofWork}`} onClick={() => onAsk('decline')}>
              Decline
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

type TermsProps = {
  offer: ReceivedOffer
  /** Number of the other open offers for the work. */
  others: number
}

function Terms({ offer: { name, price, buyerUsername, royaltyPercent }, others }: TermsProps) {
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
      {others > 0 && (
        <p>
          {others === 1 ? 'The other offer for it ends' : `The other ${others} offers for it end`} then, and the{' '}
          {others === 1 ? 'hold is' : 'holds are'} given back.
        </p>
      )}
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
    case 'offer_accepted':
      return 'You have accepted this offer already, so it cannot be declined.'
    case 'step_up_required':
      return 'You have not confirmed that it is you, so the offer is not accepted. It stays open.'
    case 'offer_not_found':
      return 'This offer is no longer open.'
    case 'permit_required':
      return 'The work is in your own wallet, and was not accepted for delivery. Please sign once more.'
    default:
      return message
  }
}
