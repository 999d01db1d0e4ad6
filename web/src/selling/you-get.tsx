import './you-get.css'
import { sharesOf } from '@nifty/api/payments/shares'
import { formatPrice } from '@nifty/api/price'
import { useConfig } from '../api/use-config.ts'

type Props = {
  euros: number | undefined
  /** Of a work that another artist made; 0 on a first sale. */
  royaltyPercent: number
}

/** What a seller gets of a price, and what goes to the store and to the artist. Nothing without a price. */
export function YouGet({ euros, royaltyPercent }: Props) {
  const text = useYouGet(euros, royaltyPercent)
  return text === undefined ? null : (
    <p className="you-get" role="status">
      {text}
    </p>
  )
}

/** The same as text; undefined before the store's share is known. */
export function useYouGet(euros: number | undefined, royaltyPercent: number): string | undefined {
  const { commissionPercent } = useConfig()
  if (commissionPercent === undefined) return undefined
  if (euros === undefined) return ''
  const shares = { commissionBps: Math.round(commissionPercent * 100), royaltyBps: Math.round(royaltyPercent * 100) }
  const others = [
    `${commissionPercent} % to the store`,
    ...(royaltyPercent > 0 ? [`${royaltyPercent} % royalty to the artist`] : []),
  ]
  return `You get ${formatPrice(sharesOf(Math.round(euros * 100), shares).sellerCents / 100)} (${others.join(', ')})`
}
