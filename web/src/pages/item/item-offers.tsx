import './offer.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import { Suspense, useState } from 'react'
import { paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { isFinal, isWon } from '../../orders/order.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Spinner } from '../../ui/state.tsx'
import type { useChoices } from './use-choices.ts'
import { OwnOffer } from './use-item-parts.ts'
import type { useOwnOffer } from './use-own-offer.ts'

const OfferForm = lazyComponent(() => import('./offer-form.tsx'), 'OfferForm')

type Props = {
  item: NftDetail
  user: CurrentUser | undefined
  isOwner: boolean
  own: ReturnType<typeof useOwnOffer>
  choices: ReturnType<typeof useChoices>
  /** Refetches the item. */
  reload: () => void
  /** A visitor who is logged out wants to make an offer. */
  onConnect: () => void
}

/** The own offer, and for everyone but the owner the button that makes one. */
export function ItemOffers({ item, user, isOwner, own, choices, reload, onConnect }: Props) {
  const { offers: isOn } = useConfig()
  const { asked, loading } = own
  // Of who owns the work now, the one that it was sold by.
  const offer = own.offer && (!isOwner || isWon(own.offer)) ? own.offer : undefined
  const changed = () => {
    own.reload()
    reload()
  }
  const takes = isOn === true && !isOwner && item.offers
  if (loading) return takes ? <div className="offer__place" /> : null
  return (
    <>
      {asked && !user && (
        <p className="notice" role="status">
          Please <Link to={paths.login}>log in</Link> to see your offer.
        </p>
      )}
      {offer && (
        <ErrorBoundary at={offer._id} fallback={<OwnOfferWithoutCode order={offer} />}>
          <Suspense fallback={<div className="offer__place" />}>
            <OwnOffer key={offer._id} order={offer} hasReturned={offer._id === asked} onChanged={changed} />
          </Suspense>
        </ErrorBoundary>
      )}
      {takes && !(offer && !isFinal(offer)) && (
        <MakeOffer item={item} takes={takes} user={user} choices={choices} onChanged={changed} onConnect={onConnect} />
      )}
    </>
  )
}

const OwnOfferWithoutCode = ({ order }: { order: Order }) => (
  <p>
    You have an offer of <Price euros={order.total} /> for this work. Please reload the page to see it.
  </p>
)

type MakeProps = {
  item: NftDetail
  takes: NonNullable<NftDetail['offers']>
  user: CurrentUser | undefined
  choices: ReturnType<typeof useChoices>
  onChanged: () => void
  onConnect: () => void
}

function MakeOffer({ item, takes, user, choices, onChanged, onConnect }: MakeProps) {
  const [open, setOpen] = useState(false)
  const { minimum, count, highest } = takes
  return (
    <div className="offer__make" tabIndex={-1}>
      <Button variant="secondary" onClick={() => (user ? setOpen(true) : onConnect())}>
        Make an offer
      </Button>
      <p className="notice">
        From <Price euros={minimum} />
        {count > 0 && ` · ${count === 1 ? '1 offer' : `${count} offers`}`}
        {highest !== null && (
          <>
            , the highest <Price euros={highest} />
          </>
        )}
      </p>
      <Dialog open={open && user !== undefined} title="Make an offer" onClose={() => setOpen(false)}>
        <ErrorBoundary at="offer" fallback={<p role="alert">The form could not be loaded. Please try again.</p>}>
          <Suspense fallback={<Spinner />}>
            {user && (
              <OfferForm
                item={item}
                minimum={minimum}
                user={user}
                choices={choices}
                onChanged={onChanged}
                onLoggedOut={() => {
                  setOpen(false)
                  onConnect()
                }}
              />
            )}
          </Suspense>
        </ErrorBoundary>
      </Dialog>
    </div>
  )
}
