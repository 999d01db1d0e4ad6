import type { Nft } from '@nifty/api/catalog/public'
import { shorten } from '../../ui/shorten.ts'

type Named = Pick<Nft, 'name' | 'identifier'>

/** The name of an item, with its token number if another one of `items` has the same name. */
export const itemLabel = ({ name, identifier }: Named, items: readonly Named[]): string =>
  items.filter((item) => item.name === name).length > 1 ? `${name} #${shorten(identifier, 5, 5)}` : name
