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
  /** Shows what the server answered, or asks it again. */
  reload: (item?: NftDetail, how?: { revalidate: boolean }) => Promise<unknown>
}

/** Waved away once, it stays away until the page is loaded anew. */
let waved = false

/** Beside the work: who holds it, what it costs, and the one thing that this reader can do next. */
export function ItemPanel({ item, user, reload }: Props) {
  const { explorerUrl } = useConfig()
  const invalidateMarket = useInvalidateMarket()
  const signPermit = useSignPermit(item)
  const [connecting, setConnecting] = useState(!waved)

  const owns = Boolean(user) && user?.username === item.ownerUsername
  const ready = Boolean(user?.metamaskAddress)
  const changed = (next: NftDetail | undefined) => {
    void (next ? reload(next, { revalidate: false }) : reload())
    void invalidateMarket()
  }

  return (
    <div className="panel">
      <h1 tabIndex={-1}>{item.name}</h1>
      <OwnerCard person={item.owner} label="Owner" />

      <div className="panel__part">
        {!owns && (
          <ItemBuying item={item} user={user} reload={() => void reload()} onConnect={() => setConnecting(true)} />
        )}
        {owns && user?.admin && (
          <SaleControl key={String(item.forSale)} item={item} onChanged={changed} signPermit={signPermit} />
        )}
        {owns && !user?.admin && (
          <>
            <p>To gain access to selling your NFTs, please contact us.</p>
            <LinkButton to={paths.contact} look="plain">
              Contact Us
            </LinkButton>
          </>
        )}
      </div>

      {owns && item.custody && (
        <CustodyControl token={item} wallet={user?.metamaskAddress ?? null} explorerUrl={explorerUrl} />
      )}

      <PleaseConnect
        open={!ready && connecting}
        user={user}
        onClose={() => {
          waved = true
          setConnecting(false)
        }}
      />
    </div>
  )
}
