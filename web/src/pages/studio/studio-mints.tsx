import type { Nft } from '@nifty/api/catalog/public'
import type { Mint } from '@nifty/api/minting/public'
import { useItemsOf } from '../../items/use-market.ts'
import { isUnderWay, useMints } from '../../minting/use-mints.ts'
import { useStatement } from '../../orders/use-statement.ts'
import { itemUrl } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { useConfig } from '../../use-config.ts'
import { type Hanging, MintStatus } from './mint-status.tsx'

const refreshInterval = 2_000
const toldFor = 3 * 86_400_000
/** A work that is minted hangs seconds later; after this nothing is awaited any more. */
const hungWithin = 900_000

type Props = {
  username: string
  /** Handed in since this page is open: shown until the end. */
  fresh: string[]
}

/** Works between the form and the wall, newest first. */
export function StudioMints({ username, fresh }: Props) {
  const { explorerUrl } = useConfig()
  const { mints } = useMints()
  const { items } = useItemsOf(username, { refreshInterval: mints.some(isNew) ? refreshInterval : 0 })
  const { statement } = useStatement()
  const isSold = ({ _id }: Mint) => statement?.entries.some(({ itemId }) => itemId === _id) ?? true
  const itemOf = ({ _id }: Mint) => items.find((item) => item._id === _id)
  const shown = mints.filter(
    (mint) =>
      fresh.includes(mint._id) ||
      (isRecent(mint) && (mint.state === 'failed' || (!isSold(mint) && isWaiting(mint, itemOf(mint))))),
  )

  return (
    <section id="under-way" className="studio__mints" aria-labelledby="under-way-title" hidden={shown.length === 0}>
      <h2 id="under-way-title">On the way to the wall</h2>
      {shown.map((mint) => {
        const item = itemOf(mint)
        return (
          <MintStatus
            key={mint._id}
            mint={mint}
            hanging={isSold(mint) ? 'on-sale' : hangingOf(item)}
            explorerUrl={explorerUrl}
            link={
              item && (
                <LinkButton look="plain" to={itemUrl(item)}>
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

/** A work with a price was on sale once: where it is now is told below, among the works. */
const hangingOf = (item: Nft | undefined): Hanging =>
  item ? (item.forSale || item.price !== null ? 'on-sale' : 'hung') : 'awaited'

const age = ({ createdAt }: Mint) => Date.now() - Date.parse(createdAt)
const isNew = (mint: Mint) => isUnderWay(mint) || age(mint) < hungWithin
const isRecent = (mint: Mint) => age(mint) < toldFor

/** A price that was asked for stands at the work once it was listed, whatever became of it since. */
const isWaiting = (mint: Mint, item: Nft | undefined) =>
  isUnderWay(mint) || (isNew(mint) && (!item || (mint.price !== null && item.price === null)))
