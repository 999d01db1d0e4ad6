import { type Mutant, mutant } from './mutant.ts'

const items = 'services/catalog/src/items'
const reservations = `${items}/reservation.actions.ts`
const deliverability = `${items}/deliverability.actions.ts`
const delistsNothingNewer = {
  file: `${items}/deliverability.test.ts`,
  title: 'a refusal of minting delists no item that',
}

export const catalogMutants: Mutant[] = [
  mutant(
    'sale-ends-new-listing',
    'a sale that is closed ends no listing of the new owner',
    {
      file: reservations,
      find: 'item.ownerId === reservedSeller ? endListing(free) : free',
      replace: 'endListing(free)',
    },
    {
      file: 'services/catalog/src/consumers.test.ts',
      title: 'a listing that the buyer made before the sale is closed stays',
    },
  ),
  mutant(
    'listed-although-moved',
    'a token that moved since minting was asked is not listed',
    { file: `${items}/listing.actions.ts`, find: 'if (item.wallet !== checked.wallet)', replace: 'if (false)' },
    { file: `${items}/listing.races.test.ts`, title: 'an item that moves while minting is asked is not listed' },
  ),
  mutant(
    'seller-not-locked',
    'a seller is not suspended while listing',
    {
      file: 'services/catalog/src/accounts/account.store.ts',
      find: ".where('userId', '=', userId).forShare()",
      replace: ".where('userId', '=', userId)",
    },
    {
      file: `${items}/listing.races.test.ts`,
      title: 'a listing waits for a simultaneous suspension of its seller, and is then refused',
    },
  ),
  mutant(
    'delists-newer-listing',
    'a refusal delists no item that was listed again',
    { file: deliverability, find: 'item.listingVersion !== listingVersion || ', replace: '' },
    delistsNothingNewer,
  ),
  mutant(
    'delists-moved-item',
    'a refusal delists no item that moved',
    { file: deliverability, find: 'item.wallet !== wallet || ', replace: '' },
    delistsNothingNewer,
  ),
  mutant(
    'delists-reserved-item',
    'a refusal delists no item that was reserved',
    { file: deliverability, find: ' || item.reservedOrder !== null', replace: '' },
    delistsNothingNewer,
  ),
]
