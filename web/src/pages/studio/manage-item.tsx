import '../item/item-page.css'
import '../item/offer.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import type { Nft, NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { useConfig } from '../../api/use-config.ts'
import { isOnAuction } from '../../auctions/auction-state.ts'
import { CustodyControl } from '../../custody/custody-control.tsx'
import { useGifts, waitingGiftOf } from '../../gifts/use-gifts.ts'
import { useItem } from '../../items/use-item.ts'
import { OfferMinimum } from '../../selling/offer-minimum.tsx'
import { SaleControl } from '../../selling/sale-control.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Notice, Spinner } from '../../ui/state.tsx'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'
import { HideControl } from './hide-control.tsx'

const OwnerAuction = lazyComponent(() => import('../../auctions/panel/owner-auction.tsx'), 'OwnerAuction')
const StartAuction = lazyComponent(() => import('../../auctions/panel/start-auction.tsx'), 'StartAuction')

/** Milliseconds between two polls, also while somebody pays: only buyers wait for the end of a reservation. */
const refreshInterval = 5_000

type Props = { item: Nft; user: CurrentUser; onChanged: () => void }

/** The owner's dialog for one item: price, permit for a sale from the wallet, withdrawal from custody, visibility. */
export function ManageItem({ item: { contract, identifier }, user, onChanged }: Props) {
  const { item, missing, mutate } = useItem({ username: user.username, contract, identifier }, { refreshInterval })
  const signPermit = useSignPermit()
  const { explorerUrl, offers: isOn, auctions } = useConfig()
  const { gifts } = useGifts({ enabled: item?.custody === true })

  /** The auction that was started here. */
  const [started, setStarted] = useState<string>()
  const changed = (next: NftDetail | undefined) => {
    void (next ? mutate(next, { revalidate: false }) : mutate())
    onChanged()
  }

  return (
    <div className="manage">
      {!item && !missing && <Spinner label="Loading the work" />}
      {missing && <Notice kind="error">The work could not be loaded. Please close this and try again.</Notice>}
      {item && isOnAuction(item) && (
        <LazyPart at={item._id} fallback={<Spinner />}>
          <OwnerAuction item={item} started={started} onChanged={changed} />
        </LazyPart>
      )}
      {item && !isOnAuction(item) && <SaleControl item={item} onChanged={changed} signPermit={signPermit} />}
      {item && !isOnAuction(item) && auctions && (
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
      {item && !isOnAuction(item) && isOn && <OfferMinimum item={item} onChanged={changed} />}
      {item && !item.custody && (
        <Notice>
          This work is in your own wallet. To sell it, sign once in your wallet to allow its delivery after payment.
          Signing is free, and a transfer of the work cancels it.
        </Notice>
      )}
      {item && (
        <CustodyControl
          token={item}
          wallet={user.metamaskAddress}
          explorerUrl={explorerUrl}
          gift={waitingGiftOf(gifts, item)}
        />
      )}
      {item && !isOnAuction(item) && <HideControl item={item} />}
    </div>
  )
}
