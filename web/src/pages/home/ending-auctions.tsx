import { paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { ItemCard } from '../../items/item-card.tsx'
import { gridSizes } from '../../items/item-image.ts'
import { useAuctionPrices } from '../../items/item-price.tsx'
import { useMarket } from '../../items/use-market.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'

/** Works on the home page, as many as a row has. */
const shown = 4

/** The auctions that end first; nothing while there is none. */
export function EndingAuctions() {
  const { auctions } = useConfig()
  const { items } = useMarket(auctions ? { sale: 'auctions', limit: shown } : null)
  const isReady = useAuctionPrices(items)
  if (items.length === 0 || !isReady) return null
  return (
    <section className="home-section item-grid wrap" aria-labelledby="auctions">
      <div className="section-head">
        <h2 id="auctions">Auctions</h2>
        <Link to={`${paths.explore}?items=auctions`} className="section-head__more">
          See More<span className="visually-hidden"> auctions</span> <Icon name="arrow" size={18} />
        </Link>
      </div>
      <ul className="item-grid__works">
        {items.map((item) => (
          <li key={item._id}>
            <ItemCard item={item} sizes={gridSizes} />
          </li>
        ))}
      </ul>
    </section>
  )
}
