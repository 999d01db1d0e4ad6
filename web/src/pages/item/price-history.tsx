import './price-history.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { Time } from '../../ui/time.tsx'
import { hasChanged, type PricePoint, placePoints, pricePoints, stepPath } from './price-points.ts'

const box = { width: 480, height: 140 }
const margin = 10
const labels: Record<PricePoint['what'], string> = {
  listed: 'Put on sale',
  repriced: 'New price',
  sold: 'Sold',
}

/**
 * The prices asked and paid, once they differ: as a small chart, and as a table beside it. Until then the provenance
 * has the one price.
 */
export function PriceHistory({ history }: { history: NftDetail['history'] }) {
  const points = pricePoints(history)
  if (!hasChanged(points)) return null
  return (
    <section className="price-history">
      <h2>Price history</h2>
      <div className="price-history__parts">
        <Chart points={points} />
        <table className="price-history__table">
          <caption className="visually-hidden">Prices asked and paid, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Event</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {[...points].reverse().map(({ at, what, euros }) => (
              <tr key={`${what} ${at}`}>
                <td>
                  <Time at={at} as="day" />
                </td>
                <td>{labels[what]}</td>
                <td className="tabular">{formatPrice(euros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Hidden from assistive technology: the table has the same figures. */
function Chart({ points }: { points: PricePoint[] }) {
  const placed = placePoints(points, box)
  return (
    <svg
      className="price-history__chart"
      viewBox={`${-margin} ${-margin} ${box.width + 2 * margin} ${box.height + 2 * margin}`}
      aria-hidden="true"
      focusable="false"
    >
      <path className="price-history__ground" d={`M0 ${box.height}H${box.width}`} />
      <path className="price-history__line" d={stepPath(placed)} />
      {placed.map(({ at, what, x, y }) => (
        <circle
          key={`${what} ${at}`}
          className={`price-history__dot price-history__dot--${what}`}
          cx={x}
          cy={y}
          r="5"
        />
      ))}
    </svg>
  )
}
