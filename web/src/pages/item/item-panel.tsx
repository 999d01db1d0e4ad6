import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { CustodyControl } from '../../custody/custody-control.tsx'
import { useInvalidateMarket } from '../../items/use-market.ts'
import { paths } from '../../paths.ts'
import { SaleControl } from '../../selling/sale-control.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { useConfig } from '../../use-config.ts'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'
import { ItemBuying } from './item-buying.tsx'
import { OwnerCard } from './owner-card.tsx'
import { PleaseConnect } from './please-connect.tsx'

type Props = {
  item: NftDetail
  user: CurrentUser | undefined
  /** Takes over the server's response, or refetches the item. */
  reload: (item?: NftDetail, how?: { revalidate: boolean }) => Promise<unknown>
}

/** Dismissed once, the dialog stays closed until the page is reloaded. */
let dismissed = false

/** Owner, price and the action that this user can take. */
export function ItemPanel({ item, user, reload }: Props) {
  const { explorerUrl } = useConfig()
  const invalidateMarket = useInvalidateMarket()
  const signPermit = useSignPermit(item)
  const [connecting, setConnecting] = useState(!dismissed)

  const isOwner = Boolean(user) && user?.username === item.ownerUsername
  const canBuy = Boolean(user?.metamaskAddress)
  const changed = (next: NftDetail | undefined) => {
    void (next ? reload(next, { revalidate: false }) : reload())
    void invalidateMarket()
  }

  return (
    <div className="panel">
      <div className="panel__label-of-work">
        {item.creator && <OwnerCard person={item.creator} label="Artist" />}
        <h1 tabIndex={-1}>{item.name}</h1>
      </div>
      <OwnerCard person={item.owner} label="Owner" />

      <div className="panel__part">
        {!isOwner && (
          <ItemBuying item={item} user={user} reload={() => void reload()} onConnect={() => setConnecting(true)} />
        )}
        {isOwner && user?.admin && (
          <SaleControl key={String(item.forSale)} item={item} onChanged={changed} signPermit={signPermit} />
        )}
        {isOwner && !user?.admin && (
          <>
            <p>To gain access to selling your NFTs, please contact us.</p>
            <LinkButton to={paths.contact} variant="secondary">
              Contact Us
            </LinkButton>
          </>
        )}
      </div>

      {isOwner && item.custody && (
        <CustodyControl token={item} wallet={user?.metamaskAddress ?? null} explorerUrl={explorerUrl} />
      )}

      <PleaseConnect
        open={!canBuy && connecting}
        user={user}
        onClose={() => {
          dismissed = true
          setConnecting(false)
        }}
      />
    </div>
  )
}
