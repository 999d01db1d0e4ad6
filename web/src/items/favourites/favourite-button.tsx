import './favourite-button.css'
import type { Nft } from '@nifty/api/catalog/public'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useFavourites } from './use-favourites.ts'

type Props = {
  item: Pick<Nft, '_id' | 'name'>
  /** With a text beside the heart. */
  labelled?: boolean
}

/** A toggle button: its name stays the same, and `aria-pressed` is true for a favourite. */
export function FavouriteButton({ item, labelled = false }: Props): ReactNode {
  const { itemIds, set } = useFavourites()
  const [busy, run] = useBusy()
  const pressed = itemIds?.includes(item._id) ?? false

  const toggle = () =>
    run(async () => {
      const problem = await set(item._id, !pressed)
      if (problem) toast.error(problem)
    })

  return (
    <button
      type="button"
      className={`favourite${labelled ? ' favourite--labelled' : ''}`}
      aria-label={`Favourite: ${item.name}`}
      aria-pressed={pressed}
      title={pressed ? 'Remove from favourites' : 'Add to favourites'}
      // Stays focusable while the request is under way.
      aria-disabled={busy || undefined}
      onClick={() => void (busy || toggle())}
    >
      <Icon name="heart" size={22} />
      {labelled && <span>Favourite</span>}
    </button>
  )
}
