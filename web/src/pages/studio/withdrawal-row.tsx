import './withdrawal-row.css'
import type { Withdrawal } from '@nifty/api/minting/public'
import type { ReactNode } from 'react'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { Transaction } from '../../wallet/transaction.tsx'

const labels: Record<Withdrawal['state'], string> = {
  accepted: 'Accepted',
  sent: 'On its way',
  final: 'In your wallet',
  failed: 'Failed: the work is still in our custody',
}

type Props = { withdrawal: Withdrawal; name: ReactNode; explorerUrl: string | undefined }

/** One withdrawal from custody. */
export function WithdrawalRow({ withdrawal: { state, wallet, createdAt, txHash }, name, explorerUrl }: Props) {
  return (
    <div className="withdrawal-row">
      <p className="withdrawal-row__name">{name}</p>
      <p>
        {labels[state]} <span className="tabular">{shorten(wallet, 6, 6)}</span>
      </p>
      <p>
        <Time at={createdAt} />
      </p>
      <p>{txHash && <Transaction hash={txHash} explorerUrl={explorerUrl} />}</p>
    </div>
  )
}
