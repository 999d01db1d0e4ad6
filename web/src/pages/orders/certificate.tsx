import './print.css'
import './certificate.css'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'

type Props = {
  order: Order
  line: OrderLine
  owner: string
  /** The creator's name; absent until it is loaded. */
  artist: string | undefined
  /** SHA-256 of the master file, in hex; absent until it is loaded. */
  imageSha256: string | undefined
  deliveredAt: string | null
  /** The buyer's wallet to which the work was moved out of custody. */
  withdrawnTo: string | undefined
}

/** The certificate of one order line: item, owner, delivery and where to verify it. */
export function Certificate({ order, line, owner, artist, imageSha256, deliveredAt, withdrawnTo }: Props) {
  const { name, image, contract, identifier, txHash } = line
  return (
    <article className="print-sheet certificate">
      <div className="certificate__art">
        <img src={`${image}?w=960`} alt={name} />
      </div>
      <div className="certificate__text">
        <p className="print-sheet__logo">nifty</p>
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
            // Spelled so in the specification.
            ['Blockchain', 'Polygone'],
            ['Contract Address', contract],
            ['Token ID', identifier],
            order.wallet === null && !withdrawnTo
              ? ['Kept by', 'Nifty, in custody for the owner']
              : ['Wallet', order.wallet ?? withdrawnTo],
            ['Transaction', txHash],
            ['SHA-256 of the image', imageSha256],
          ]}
        />
        <p className="certificate__licence">
          Its owner owns the token, and may show and resell the work. The copyright stays with the artist; commercial
          use needs their permission. The proof of present ownership is the blockchain, not this certificate. The log of
          its mint there has the name of the work and the SHA-256 of the image.
        </p>
      </div>
    </article>
  )
}
