import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { RunFile } from '@nifty/testkit/run-file'
import type { Random } from '../../campaign/random.ts'
import type { Kind, Schedule } from '../schedule.ts'
import { createPerson, type Person } from './accounts.ts'
import { rivalOf } from './rival.ts'
import { createWorks, type Work } from './works.ts'

const SELLERS = 3
const CONCURRENT_SIGN_UPS = 3

/** Accounts of buyers and of recipients of gifts by name, and the works of each purchase. */
export type Cast = { buyers: Map<string, Person>; carts: Work[][] }

/** Creates the accounts and the works that a schedule needs, through the public API. */
export async function createCast(
  { run, auth, random }: { run: RunFile; auth: ServiceClient; random: Random },
  { seed, purchases }: Schedule,
): Promise<Cast> {
  const deps = { run, auth, seed }
  const names = [
    ...new Set(purchases.flatMap(({ buyer, gift }) => (gift?.ending === 'claimed' ? [buyer, gift.recipient] : buyer))),
  ]
  const people = await all([
    ...Array.from({ length: SELLERS }, (_, place) => () => createPerson(deps, `seller-${place + 1}`, 'seller')),
    ...names.map((name) => () => createPerson(deps, name, 'buyer')),
  ])
  const sellers = people.slice(0, SELLERS)
  const outrun = new Set(purchases.flatMap(({ offer }) => (offer?.ending === 'outrun' ? offer.by : [])))
  // The first work of some purchases is moved away by its seller, from the seller's own wallet.
  const wanted = purchases.flatMap(({ kind, works, offer, bid }, place) =>
    Array.from({ length: works }, (_, position) => ({
      name: `Work ${place + 1}.${position + 1}`,
      seller: random.pick(sellers),
      // A permit of a wallet ends before an auction can.
      holder:
        !bid && ((movesAway(kind) && position === 0) || random.chance(0.2))
          ? ('wallet' as const)
          : ('custody' as const),
      cents: random.between(50, 20_000),
      takesOffers: offer !== undefined || outrun.has(place),
    })),
  )
  const works = await createWorks(run, wanted)
  const own = purchases.map(({ works: count }) => works.splice(0, count))
  return {
    buyers: new Map(people.slice(SELLERS).map((person) => [person.name, person])),
    carts: purchases.map((purchase, place) => own[rivalOf(purchase) ?? place]!),
  }
}

const movesAway = (kind: Kind) => kind === 'cart' || kind === 'undeliverable'

/** Password hashing is expensive: a few sign-ups at once. */
async function all(create: (() => Promise<Person>)[]): Promise<Person[]> {
  const people: Person[] = []
  const queue = create.map((make, place) => ({ make, place }))
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) people[next.place] = await next.make()
  }
  await Promise.all(Array.from({ length: CONCURRENT_SIGN_UPS }, work))
  return people
}
