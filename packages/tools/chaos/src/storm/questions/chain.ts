import type { World } from '../world.ts'
import { arrived, each, linesOf, orderById, type Question } from './question.ts'

/** The store of the campaign signs nothing at a higher base fee. */
export const FEE_CAP_GWEI = 100

const signerTransactions = ({ chain, databases }: World) => {
  const signers = new Set(databases.minting.signer!.map(({ address }) => String(address).toLowerCase()))
  return chain.transactions.filter(({ from }) => signers.has(from))
}
const deliveriesOf = ({ databases }: World) => databases.minting.delivery!

/** The user of a custody account. */
const keptFor = ({ databases }: World, account: string | null) =>
  databases.minting.custody_account!.find((each) => each.account === account)?.user_id

/** Tokens that are outside their sellers' wallets and custody accounts. */
const departed = (world: World) =>
  world.histories.flatMap(({ cart }) =>
    cart.flatMap(({ contract, identifier, seller }) => {
      const token = `${contract.toLowerCase()}/${identifier}`
      const holding = world.chain.holdings.get(token)
      const isSellers =
        holding?.owner === seller.wallet.address.toLowerCase() ||
        keptFor(world, holding?.account ?? null) === seller.userId
      return isSellers ? [] : [{ token, holding, seller }]
    }),
  )

/** The line by which a gift was bought whose claim moved the token. */
const boughtBy = ({ chain, databases }: World, token: string, hash: string | undefined) => {
  const claim = chain.claims.find((each) => each.token === token && each.hash === hash)
  return databases.minting.gift!.find(({ delivery_id }) => delivery_id === claim?.line)?.line_id
}

export const chainQuestions: Question[] = [
  each(
    'chain: no token left without its payment, unless its owner moved it or somebody ended the hold meanwhile',
    departed,
    ({ token, holding, seller }, world) => {
      const { transactions, delivered } = world.chain
      const sender = transactions.find(({ hash }) => hash === holding?.hash)?.from
      if (sender === seller.wallet.address.toLowerCase()) return undefined
      const delivery = delivered.find((each) => each.token === token && each.hash === holding?.hash)
      const line = linesOf(world).find(({ id }) => id === (delivery?.line ?? boughtBy(world, token, holding?.hash)))
      if (!line) return `${token} is in ${holding?.owner} (${holding?.account}), by no order`
      const history = world.histories.find(({ orderId }) => orderId === line.order_id)
      const captures = world.ledger.filter(({ kind, reference }) => kind === 'captured' && reference === line.order_id)
      const isPaid = captures.length === 1 && captures[0]!.amount >= line.price_cents
      if (isPaid || history?.kind === 'hold ended') return undefined
      return { what: `${token} left, captured ${captures.map(({ amount }) => amount)}`, about: line.id }
    },
  ),
  each('chain: one delivery per line that arrived, none for any other', linesOf, ({ id, state }, { chain }) => {
    const logs = chain.delivered.filter(({ line }) => line === id)
    return logs.length === (arrived.includes(state) ? 1 : 0) ? undefined : `is ${state}, ${logs.length} deliveries`
  }),
  each(
    'chain: each delivery went to the wallet of its order or into custody for its buyer, with the token of its line',
    ({ chain }) => chain.delivered,
    ({ line: id, to, account, token }, world) => {
      const line = linesOf(world).find((each) => each.id === id)
      if (!line) return { what: `delivery of an unknown line`, about: id }
      const { wallet, buyer_id } = orderById(world).get(line.order_id)!
      if (wallet ? wallet.toLowerCase() !== to : keptFor(world, account) !== buyer_id)
        return { what: `went to ${to} (${account}) instead of ${wallet ?? 'custody'}`, about: id }
      const wanted = `${line.contract?.toLowerCase()}/${line.identifier}`
      return token === wanted ? undefined : { what: `delivered ${token} instead of ${wanted}`, about: id }
    },
  ),
  each(
    'chain: every transaction of every signer is one that was stored before',
    signerTransactions,
    ({ hash, nonce, from }, { databases }) => {
      if (databases.minting.attempt!.some((each) => each.hash === hash)) return undefined
      // Revoking and granting roles is the owner's work; a signer only mints and delivers.
      return `transaction ${hash} (nonce ${nonce} of ${from}) is in no attempt`
    },
  ),
  {
    name: 'chain: the nonces of every signer are without gaps and as many as were allocated',
    ask: (world) => {
      const mined = Map.groupBy(signerTransactions(world), ({ from }) => from)
      const { signer, chain_transaction } = world.databases.minting
      const wrong = signer!.flatMap(({ address, next_nonce, state }) => {
        const nonces = (mined.get(address.toLowerCase()) ?? []).map(({ nonce }) => nonce).sort((a, b) => a - b)
        const gap = nonces.findIndex((nonce, place) => nonce !== place)
        if (gap >= 0) return [{ what: `${address}: nonce ${gap} is missing or doubled` }]
        // What a retired signer had signed last can no longer be mined, or reverts.
        return nonces.length === Number(next_nonce) || state === 'retired'
          ? []
          : [{ what: `${address}: ${nonces.length} transactions, next nonce ${next_nonce}` }]
      })
      return { rows: chain_transaction!.length, wrong }
    },
  },
  each(
    'minting: every transaction is final',
    ({ databases }) => databases.minting.chain_transaction!,
    ({ state, nonce, signer }) => (state === 'final' ? undefined : `nonce ${nonce} of ${signer} is ${state}`),
  ),
  each(
    'minting: no call offers more than the cap of fees, no cancellation more than ten times that',
    ({ databases }) => databases.minting.attempt!,
    ({ hash, kind, max_fee_per_gas }) => {
      const cap = (kind === 'cancel' ? 10 : 1) * FEE_CAP_GWEI
      return Number(max_fee_per_gas) / 1e9 <= cap ? undefined : `${kind} ${hash} offers ${max_fee_per_gas} wei`
    },
  ),
  each('minting: no delivery is open', deliveriesOf, ({ state, line_id }) =>
    ['waiting', 'signed'].includes(state) ? { what: `delivery is ${state}`, about: line_id } : undefined,
  ),
  each('minting: a delivery is final exactly when its line arrived', linesOf, ({ id, state }, world) => {
    const delivery = deliveriesOf(world).find(({ line_id }) => line_id === id)
    return (delivery?.state === 'final') === arrived.includes(state)
      ? undefined
      : `line is ${state}, its delivery ${delivery?.state}`
  }),
  each(
    'minting: the holder of each token is the one on the chain',
    ({ databases }) => databases.minting.token!,
    ({ token, wallet, custody_account }, { chain, databases }) => {
      const owner = chain.ownerOf.get(token)
      if (custody_account)
        return databases.minting.token!.some(({ wallet }) => wallet === owner) ? `${token} is in ${owner}` : undefined
      return wallet === owner ? undefined : `${token} is in ${owner}, we have ${wallet}`
    },
  ),
]
