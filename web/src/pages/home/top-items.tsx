import type { Nft } from '@nifty/api/catalog/public'
import { ItemCard, ItemCardSkeleton } from '../../items/item-card.tsx'
import { Carousel } from '../../ui/carousel.tsx'
import { Empty } from '../../ui/state.tsx'

const skeletons = ['a', 'b', 'c', 'd']
const sizes = '(min-width: 1025px) 18vw, (min-width: 992px) 25vw, (min-width: 767px) 38vw, 77vw'

export function TopItems({ items, loading }: { items: Nft[]; loading: boolean }) {
  if (loading) {
    return (
      <Carousel label="Works of the best-selling creators" items={skeletons} keyOf={(key) => key}>
        {() => <ItemCardSkeleton framed />}
      </Carousel>
    )
  }
  if (items.length === 0) return <Empty title="No NFTs available" />
  return (
    <Carousel label="Works of the best-selling creators" items={items} keyOf={({ _id }) => _id}>
      {(item) => <ItemCard item={item} sizes={sizes} framed />}
    </Carousel>
  )
}
