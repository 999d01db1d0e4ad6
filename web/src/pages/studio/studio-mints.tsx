import type { Nft } from '@nifty/api/catalog/public'
import type { Mint } from '@nifty/api/minting/public'
import { itemUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { useItemsOf } from '../../items/use-market.ts'
import { isUnderWay, useMints } from '../../minting/use-mints.ts'
import { useStatement } from '../../orders/use-statement.ts'
import { LinkButton } from '../../ui/button.tsx'
import { type MarketState, MintStatus } from './mint-status.tsx'

/** Milliseconds between two polls. */
const pollInterval = 2_000
/** Milliseconds after which a mint is no longer shown: three days. */
const shownFor = 3 * 86_400_000
/** Milliseconds after which a minted item is no longer awaited in the market. Usually it takes seconds. */
const awaitedFor = 900_000

type Props = {
  username: string
  /** Ids of mints that were submitted since the page was opened: always shown. */
  submitted: string[]
}

/** Mints that are under way, not listed yet or failed, newest first. */
export function StudioMints({ username, submitted }: Props) {
  const { explorerUrl } = useConfig()
  const { mints } = useMints()
  const { items } = useItemsOf(username, { refreshInterval: mints.some(isNew) ? pollInterval : 0 })
  const { statement } = useStatement()
  const isSold = ({ _id }: Mint) => statement?.entries.some(({ itemId }) => itemId === _id) ?? true
  const itemOf = ({ _id }: Mint) => items.find((item) => item._id === _id)
  const shown = mints.filter(
    (mint) =>
      submitted.includes(mint._id) ||
      (isRecent(mint) && (mint.state === 'failed' || (!isSold(mint) && isPending(mint, itemOf(mint))))),
  )

  return (
    <section id="under-way" className="studio__mints" aria-labelledby="under-way-title" hidden={shown.length === 0}>
      <h2 id="under-way-title">Minting in progress</h2>
      {shown.map((mint) => {
        const item = itemOf(mint)
        return (
          <MintStatus
            key={mint._id}
            mint={mint}
            marketState={isSold(mint) ? 'listed' : marketStateOf(item)}
            explorerUrl={explorerUrl}
            link={
              item && (
                <LinkButton variant="secondary" to={itemUrl(item)}>
                  See it
                </LinkButton>
              )
            }
          />
        )
      })}
    </section>
  )
}

const marketStateOf = (item: Nft | undefined): MarketState =>
  item ? (item.forSale ? 'listed' : 'unlisted') : 'pending'

const age = ({ createdAt }: Mint) => Date.now() - Date.parse(createdAt)
const isNew = (mint: Mint) => isUnderWay(mint) || age(mint) < awaitedFor
const isRecent = (mint: Mint) => age(mint) < shownFor

/**
 * A work that was minted with a price is shown until it is for sale: one in the creator's own wallet needs a signature.
 */
const isPending = (mint: Mint, item: Nft | undefined) =>
  isUnderWay(mint) || (isNew(mint) && (!item || item.listingPending))
