import '../item/item-page.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import type { Nft, NftDetail } from '@nifty/api/catalog/public'
import { useConfig } from '../../api/use-config.ts'
import { CustodyControl } from '../../custody/custody-control.tsx'
import { useGifts, waitingGiftOf } from '../../gifts/use-gifts.ts'
import { useItem } from '../../items/use-item.ts'
import { OfferMinimum } from '../../selling/offer-minimum.tsx'
import { SaleControl } from '../../selling/sale-control.tsx'
import { Notice, Spinner } from '../../ui/state.tsx'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'
import { HideControl } from './hide-control.tsx'

type Props = { item: Nft; user: CurrentUser; onChanged: () => void }

/** The owner's dialog for one item: price, permit for a sale from the wallet, withdrawal from custody, visibility. */
export function ManageItem({ item: { contract, identifier }, user, onChanged }: Props) {
  const { item, missing, mutate } = useItem({ username: user.username, contract, identifier })
  const signPermit = useSignPermit()
  const { explorerUrl, offers: isOn } = useConfig()
  const { gifts } = useGifts({ enabled: item?.custody === true })

  const changed = (next: NftDetail | undefined) => {
    void (next ? mutate(next, { revalidate: false }) : mutate())
    onChanged()
  }

  return (
    <>
      {!item && !missing && <Spinner label="Loading the work" />}
      {missing && <Notice kind="error">The work could not be loaded. Please close this and try again.</Notice>}
      {item && <SaleControl item={item} onChanged={changed} signPermit={signPermit} />}
      {item && isOn && <OfferMinimum item={item} onChanged={changed} />}
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
      {item && <HideControl item={item} />}
    </>
  )
}
