import type { NftDetail } from '@nifty/api/catalog/public'
import type { Gift } from '@nifty/api/minting/gifts'
import { type ReactNode, useState } from 'react'
import { settingsUrl } from '../api/paths.ts'
import { useSession } from '../api/session.ts'
import { isOnAuction } from '../auctions/auction-state.ts'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { shorten } from '../ui/shorten.ts'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { Transaction } from '../wallet/transaction.tsx'
import { useMovableFrom } from './use-movable-from.ts'
import { useWithdrawals } from './use-withdrawals.ts'

type Props = {
  token: Pick<
    NftDetail,
    'contract' | 'identifier' | 'forSale' | 'reserved' | 'auction' | 'custody' | 'creatorUsername' | 'ownerUsername'
  >
  /** The owner's linked wallet. */
  wallet: string | null
  explorerUrl: string | undefined
  /** The gift of the token that waits for its recipient. */
  gift: Gift | undefined
  /** The control of the gift is on the same page. */
  besideGift?: boolean
}

/** It is sold in no way, so it can be moved. */
const isFree = (token: Props['token']) => !token.forSale && !token.reserved && !isOnAuction(token)

function WithdrawalHint({ token, wallet, gift, besideGift }: Omit<Props, 'explorerUrl'>): ReactNode {
  const { userId } = useSession()
  const { forSale, creatorUsername, ownerUsername } = token
  const bought = useMovableFrom()
  // Without a purchase there is no waiting time.
  const movableFrom = creatorUsername === ownerUsername ? 'at any time' : bought
  if (gift?.state === 'claiming') return 'It is a gift, and on its way to its recipient.'
  if (gift)
    return `It is a gift that waits for its recipient. To have it in a wallet of your own, take it back first: ${besideGift ? '' : 'on the page of the work, '}under “Your gift”.`
  if (isOnAuction(token))
    return token.auction?.outcome === 'awarded'
      ? 'It is being delivered to the winner of its auction.'
      : 'It is on auction, so it cannot be moved to a wallet of your own until the auction is over.'
  if (token.reserved) return 'It is being sold, so it cannot be moved to a wallet of your own now.'
  if (!wallet)
    return (
      <>
        You can have it in a wallet of your own {movableFrom}, free of charge:{' '}
        <Link to={settingsUrl(userId ?? '')}>link a wallet</Link> in your settings first.
      </>
    )
  const inWallet = `in your own wallet ${shorten(wallet, 6, 6)}`
  if (forSale) return `To have it ${inWallet}, remove it from sale first.`
  return `You can have it ${inWallet} ${movableFrom}, free of charge.`
}

/**
 * For the owner of an item in custody: withdrawal to the linked wallet. Stays until the page is left when it is done.
 */
export function CustodyControl({ token, wallet, explorerUrl, gift, besideGift }: Props) {
  const { withdrawals, withdraw } = useWithdrawals()
  const [busy, run] = useBusy()
  const [started, setStarted] = useState<string>()
  const [problem, setProblem] = useState<{ message: string; until?: string } | null>(null)
  const last = withdrawals.find(
    ({ contract, identifier }) => contract === token.contract && identifier === token.identifier,
  )
  // A final one is of this visit: the item shows soon that it moved. An older one was before the work came back into
  // custody.
  const underWay = last && (last.state === 'final' ? last._id === started : last.state !== 'failed')

  if (!token.custody && !(underWay && last.state === 'final')) return null

  const start = () =>
    run(async () => {
      const outcome = await withdraw(token)
      if (outcome.ok) {
        setStarted(outcome.data._id)
        return setProblem(null)
      }
      const { code, message, details } = outcome.error
      setProblem({
        message: code === 'listed' ? 'It is for sale or on auction, so it cannot be moved now.' : message,
        until: typeof details.until === 'string' ? details.until : undefined,
      })
    })

  return (
    <section className="panel__part">
      <h2 className="panel__label">{token.custody ? "In the store's custody" : 'Moved to your wallet'}</h2>
      {underWay ? (
        <Notice>
          {last.state === 'final' ? 'It is in your wallet' : 'On its way to your wallet'} {shorten(last.wallet, 6, 6)}
          {last.txHash && (
            <>
              , transaction <Transaction hash={last.txHash} explorerUrl={explorerUrl} />
            </>
          )}
        </Notice>
      ) : (
        <>
          <Notice>
            The store holds this work for you.{' '}
            <WithdrawalHint token={token} wallet={wallet} gift={gift} besideGift={besideGift} />
          </Notice>
          {wallet && isFree(token) && !gift && (
            <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void start()}>
              Move to my wallet
            </Button>
          )}
        </>
      )}
      {problem && (
        <Notice kind="error">
          {problem.message}
          {problem.until && (
            <>
              {' '}
              You can move it from <Time at={problem.until} /> on.
            </>
          )}
        </Notice>
      )}
    </section>
  )
}
