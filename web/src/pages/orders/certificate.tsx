import './print.css'
import './certificate.css'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'

type Props = {
  order: Order
  line: OrderLine
  owner: string
  /** Who made it; absent while unknown. */
  artist: string | undefined
  deliveredAt: string | null
}

/** One work, whose it is since when, and where anybody can check it. */
export function Certificate({ order, line, owner, artist, deliveredAt }: Props) {
  const { name, image, contract, identifier, txHash } = line
  return (
    <article className="paper certificate">
      <div className="certificate__art">
        <img src={`${image}?w=960`} alt={name} />
      </div>
      <div className="certificate__words">
        <p className="paper__house">nifty</p>
        <p className="certificate__kind">Certificate of purchase</p>
        <h2>{name}</h2>
        {artist && <p className="certificate__artist">by {artist}</p>}
        <p className="certificate__statement">
          Bought by <strong>{owner}</strong>
          {deliveredAt && (
            <>
              {' '}
              and delivered on <Time at={deliveredAt} as="day" />
            </>
          )}
          .
        </p>
        <Facts
          className="certificate__facts"
          entries={[
            ['Blockchain', 'Polygone'],
            ['Contract Address', contract],
            ['Token ID', identifier],
            ['Wallet', order.wallet],
            ['Transaction', txHash],
          ]}
        />
        <p className="certificate__licence">
          Its owner owns the token, and may show and resell the work. The copyright stays with the artist; commercial
          use needs their permission. The blockchain, not this sheet, says who owns it today.
        </p>
      </div>
    </article>
  )
}
