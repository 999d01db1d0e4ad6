import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { itemUrl, paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import type { StartedDocument } from '../../app/start.ts'
import { isOnAuction } from '../../auctions/auction-state.ts'
import { useConsent } from '../../consent/consent-store.ts'
import { CustodyControl } from '../../custody/custody-control.tsx'
import { GiftControl } from '../../gifts/gift-control.tsx'
import { useGifts, waitingGiftOf } from '../../gifts/use-gifts.ts'
import { FavouriteButton } from '../../items/favourites/favourite-button.tsx'
import { useInvalidateMarket } from '../../items/use-market.ts'
import { useReadNoticesOf } from '../../notices/use-notices.ts'
import { openOrderFor } from '../../orders/order.ts'
import { useOrders } from '../../orders/use-orders.ts'
import { usePurchase } from '../../orders/use-purchase.ts'
import { SaleControl } from '../../selling/sale-control.tsx'
import { ShareButton } from '../../share/share-button.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'
import { BoughtHere } from './bought-here.tsx'
import { CertificateOfWork } from './certificate-of-work.tsx'
import { ItemBuying } from './item-buying.tsx'
import { OriginalFile } from './original-file.tsx'
import { OwnerCard } from './owner-card.tsx'
import { PleaseConnect } from './please-connect.tsx'
import { useChoices } from './use-choices.ts'
import { hasAuction, ItemAuction } from './use-item-parts.ts'
import { useReloadConfig } from './use-reload-config.ts'

const StartAuction = lazyComponent(() => import('../../auctions/panel/start-auction.tsx'), 'StartAuction')
const OwnerOffers = lazyComponent(() => import('./owner-offers.tsx'), 'OwnerOffers')

type Props = {
  item: NftDetail
  user: CurrentUser | undefined
  /** Takes over the server's response, or refetches the item. */
  reload: (item?: NftDetail, how?: { revalidate: boolean }) => Promise<unknown>
}

/** Dismissed once, the dialog no longer opens by itself until the page is reloaded. */
let dismissed = false
const isDismissed = () => dismissed || (window as StartedDocument).isConnectDismissed?.()

/** Owners of works without a wallet see the dialog once in a tab. */
const ownerAskedKey = 'connect_shown'

function readOwnerAsked() {
  try {
    return sessionStorage.getItem(ownerAskedKey) !== null
  } catch {
    return false
  }
}

function rememberOwnerAsked() {
  try {
    sessionStorage.setItem(ownerAskedKey, '1')
  } catch {
    // Storage is forbidden: the dialog opens with each page.
  }
}

/** Owner, price and the action that this user can take. */
export function ItemPanel({ item, user, reload }: Props) {
  const config = useConfig()
  const invalidateMarket = useInvalidateMarket()
  const signPermit = useSignPermit()
  const reloadConfig = useReloadConfig()
  const purchase = usePurchase(config, async (code) => {
    void reload()
    if (code !== 'invalid_terms') return
    // What else was chosen stays.
    await reloadConfig()
    choices.accept(false)
  })
  const choices = useChoices(item, config.termsVersion)
  const { consent } = useConsent()
  useReadNoticesOf(item)
  const [params] = useSearchParams()
  // A payment of one's own that is under way is continued, whatever wallet there is.
  const { orders, loading } = useOrders({ enabled: item.reserved })
  const isPaying = item.reserved && (loading || openOrderFor(orders, item._id) !== undefined)
  /** Why the dialog is open: the page was opened, or a buyer who has accepted the terms pressed Buy Now. */
  const [dialog, setDialog] = useState<'none' | 'arrival' | 'purchase'>(() => (isDismissed() ? 'none' : 'arrival'))

  /** Artist and owner are one person, who is named once. */
  const isArtists = item.creator !== null && item.creator.username === item.owner?.username
  const isOwner = Boolean(user) && user?.username === item.ownerUsername
  const [wasOwner] = useState(isOwner)
  const onAuction = isOnAuction(item)
  /** The auction that was started here. */
  const [started, setStarted] = useState<string>()
  const { gifts } = useGifts({ enabled: isOwner && item.custody })
  const canBuy = Boolean(user?.metamaskAddress)
  const [ownerWasAsked] = useState(readOwnerAsked)
  // After the cookie banner is closed: both lie over the page.
  const opensByItself =
    consent !== null && !isPaying && !params.has('offer') && !params.has('bid') && !(isOwner && ownerWasAsked)
  const dialogOpen = !canBuy && (dialog === 'purchase' || (dialog === 'arrival' && opensByItself))
  useEffect(() => {
    if (dialogOpen && isOwner) rememberOwnerAsked()
  }, [dialogOpen, isOwner])
  const closeDialog = () => {
    dismissed = true
    setDialog('none')
  }
  const keep = () => {
    closeDialog()
    choices.setDeliverTo('custody')
    if (dialog !== 'purchase') return
    choices.keep('custody')
    void purchase.buy(item, 'custody')
  }
  const changed = (next: NftDetail | undefined) => {
    void (next ? reload(next, { revalidate: false }) : reload())
    void invalidateMarket()
  }

  return (
    <div className="panel">
      <div className="panel__label-of-work">
        {item.creator && <OwnerCard person={item.creator} labels={isArtists ? ['Artist', 'Owner'] : ['Artist']} />}
        <h1 tabIndex={-1} dir="auto">
          {item.name}
        </h1>
        {!isArtists && <OwnerCard person={item.owner} labels={['Owner']} />}
      </div>
      <p className="panel__keep">
        <FavouriteButton item={item} labelled />
        <ShareButton path={itemUrl(item)} title={item.name} />
      </p>

      <div className="panel__part" tabIndex={-1}>
        {(hasAuction(item) || params.has('bid')) && (
          <LazyPart
            at={item.auction?._id ?? item._id}
            fallback={onAuction ? <Skeleton className="panel__skeleton--tall" /> : null}
          >
            <ItemAuction
              item={item}
              user={user}
              isOwner={isOwner}
              started={started}
              choices={choices}
              onChanged={changed}
              reload={reload}
              onConnect={() => setDialog('purchase')}
            />
          </LazyPart>
        )}
        {!(isOwner && wasOwner) && !onAuction && (
          <ItemBuying
            item={item}
            user={user}
            isOwner={isOwner}
            purchase={purchase}
            choices={choices}
            reload={() => void reload()}
            onConnect={() => setDialog('purchase')}
          />
        )}
        {isOwner && user?.admin && !onAuction && (
          <>
            <SaleControl item={item} onChanged={changed} signPermit={signPermit} />
            {config.auctions && (
              <LazyPart at={item._id}>
                <StartAuction
                  item={item}
                  onChanged={(next) => {
                    setStarted(next?.auction?._id)
                    changed(next)
                  }}
                  signPermit={signPermit}
                />
              </LazyPart>
            )}
          </>
        )}
        {isOwner && !user?.admin && (
          <>
            <p>To gain access to selling your NFTs, please contact us.</p>
            <LinkButton to={paths.contact} variant="secondary">
              Contact Us
            </LinkButton>
            <Link to={paths.sell}>Apply to sell your work</Link>
          </>
        )}
      </div>

      {isOwner && user?.admin && !onAuction && (
        <LazyPart at={item._id}>
          <OwnerOffers item={item} onChanged={changed} signPermit={signPermit} />
        </LazyPart>
      )}
      {isOwner && (
        <>
          <CustodyControl
            token={item}
            wallet={user?.metamaskAddress ?? null}
            explorerUrl={config.explorerUrl}
            gift={waitingGiftOf(gifts, item)}
            besideGift
          />
          <OriginalFile item={item} />
          <CertificateOfWork item={item} />
          <GiftControl work={item} user={user} />
          <BoughtHere itemId={item._id} />
        </>
      )}

      <PleaseConnect
        open={dialogOpen}
        user={user}
        onClose={closeDialog}
        onKeep={item.forSale && !item.reserved && !isOwner ? keep : undefined}
      />
    </div>
  )
}
