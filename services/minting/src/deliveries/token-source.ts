import type { DeliveryLine } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import { getAddress } from 'ethers'
import { type Kysely, sql } from 'kysely'
import type { At } from '../chain/block.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import type { Database, Row } from '../db.ts'

export type Source = DeliveryLine['from']
type NoSource = 'unknown_token' | 'not_owner' | 'permit_required'
type Wanted = { token: string; ownerId: string; until: Date; permittedSince?: Date }

/**
 * What the database has about a token for its delivery; `ownersAccount`: the custody account of the owner, as that is
 * wanted.
 */
export type StoredSource = {
  isBeingDelivered: boolean
  identifier: string | null
  ownerId: string | null
  wallet: string | null
  ownersAccount: string | null
  permit: Pick<Row<'permit'>, 'wallet' | 'nonce' | 'deadline' | 'signature' | 'createdAt'> | null
}

type Asked = Pick<Wanted, 'token' | 'ownerId'>

export const readSource = async (db: Kysely<Database>, asked: Asked) => (await readSources(db, [asked]))[0]!

/** Of each token, in the given order. One statement: each purchase needs it twice. */
export async function readSources(db: Kysely<Database>, asked: Asked[]): Promise<StoredSource[]> {
  type Joined = Omit<StoredSource, 'permit'> & Row<'permit'> & { permitWallet: string | null }
  const { rows } = await sql<Joined>`
    select exists (select from delivery where token = asked.token and state in ('waiting', 'signed')) as is_being_delivered,
      token.identifier, token.owner_id, token.wallet, custody_account.account as owners_account,
      permit.wallet as permit_wallet, permit.nonce, permit.deadline, permit.signature, permit.created_at
    from unnest(${asked.map(({ token }) => token)}::text[], ${asked.map(({ ownerId }) => ownerId)}::uuid[])
      with ordinality asked (token, owner_id, place)
    left join token on token.token = asked.token
    left join permit on permit.token = asked.token
    left join custody_account on custody_account.user_id = asked.owner_id
    order by place`.execute(db)
  return rows.map(({ permitWallet, nonce, deadline, signature, createdAt, ...known }) => ({
    ...known,
    permit: permitWallet === null ? null : { wallet: permitWallet, nonce, deadline, signature, createdAt },
  }))
}

/**
 * Where a delivery should take the token from, by the database alone. The contract checks holder, beneficiary and
 * permit again: what accepts a delivery from there needs no `findSource`. Undefined when there is none.
 */
export function storedSource({
  stored,
  ownerId,
  until,
  permittedSince,
}: Omit<Wanted, 'token'> & { stored: StoredSource }) {
  const { permit, ownersAccount, wallet } = stored
  if (stored.identifier === null || stored.ownerId !== ownerId) return undefined
  if (wallet === null) return ownersAccount === null ? undefined : { account: keyOf(ownersAccount) }
  return permit && isValid(permit, { wallet, until, permittedSince }) ? permittedSourceOf(wallet, permit) : undefined
}

/** The owner's permit ends before `until`, which no block changes. */
export const isPermitTooShort = ({
  stored: { permit, wallet },
  until,
}: Pick<Wanted, 'until'> & { stored: StoredSource }) =>
  permit !== null && permit.wallet === wallet && permit.deadline <= until

type StoredPermit = NonNullable<StoredSource['permit']>

const isValid = (
  permit: StoredPermit,
  { wallet, until, permittedSince }: Pick<Wanted, 'until' | 'permittedSince'> & { wallet: string },
) => permit.wallet === wallet && permit.deadline > until && !(permittedSince && permit.createdAt <= permittedSince)

const permittedSourceOf = (wallet: string, { deadline, signature }: StoredPermit) => ({
  wallet: getAddress(wallet),
  permit: { deadline: Math.floor(deadline.getTime() / 1000), signature },
})

/**
 * Where a delivery takes the token from, as of a block: the custody, if the owner is the beneficiary, or the
 * owner's wallet, under a permit that is valid until `until` and was submitted after `permittedSince`.
 */
export async function findSource(
  { node, contracts }: Pick<ChainContext, 'node' | 'contracts'>,
  { stored, ownerId, until, permittedSince }: Omit<Wanted, 'token'> & { stored: StoredSource },
  at: At,
): Promise<Source | NoSource> {
  const { permit, ...known } = stored
  if (known.identifier === null) return 'unknown_token'
  const id = BigInt(known.identifier)
  const holder = await node.holderOf(id, at)
  if (!holder) return 'unknown_token'

  if (holder === contracts.delivery) {
    const account = known.ownersAccount
    if (!account || (await node.beneficiaryOf(id, at)) !== keyOf(account)) return 'not_owner'
    return { account: keyOf(account) }
  }
  const wallet = holder.toLowerCase()
  if (known.ownerId !== ownerId || known.wallet !== wallet) return 'not_owner'
  if (!permit || !isValid(permit, { wallet, until, permittedSince })) return 'permit_required'
  if (BigInt(permit.nonce) !== (await node.permitNonce(id, at))) return 'permit_required'
  return permittedSourceOf(wallet, permit)
}
