import { type Wallet, ZeroAddress, ZeroHash } from 'ethers'
import { type Call, type DeliveryLine, deliverCall, deliverManyCall, mintCall } from '../../src/calls.ts'
import { newKey, type Store, work } from './store.ts'

/** A stream of pseudo-random numbers from 0 to 1 (mulberry32), so that a seed repeats a sequence of actions. */
function randomStream(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Limits per hour that the owner sets. */
const LIMITS = [2, 3, 3, 4]

type Action = { name: string; by: Wallet; call: Call }
/** Where the tokens are, according to the chain's logs. */
export type Holdings = { owners: Map<bigint, string>; beneficiaries: Map<bigint, string>; usedLines: string[] }

/**
 * Random actions of signers, owner and holders on both contracts. About a quarter of them is wrong in one respect: a
 * foreign account, a used line, a forbidden recipient, a missing right.
 */
export async function createRandomActions(store: Store, { seed, holdings }: { seed: number; holdings: Holdings }) {
  const { addresses, owner, signer, newWallet, deployRecipient, signPermit } = store
  const { collection: token, delivery } = addresses
  const random = randomStream(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const mostly = <Value>(right: Value, wrong: () => Value) => (random() < 0.85 ? right : wrong())

  const wallets = [await newWallet(), await newWallet(), await newWallet()]
  const second = await newWallet()
  const accounts = [newKey(), newKey(), newKey()]
  const hostile = [await deployRecipient('GasBurningWallet'), await deployRecipient('RejectingWallet')]
  const refusing = await Promise.all(hostile.map((contract) => contract.getAddress()))
  const signers = [signer, signer, second]
  const encode = (name: string, args: unknown[]): Call => ({
    to: delivery,
    data: store.delivery.interface.encodeFunctionData(name, args),
  })
  const onToken = (name: string, args: unknown[]): Call => ({
    to: token,
    data: store.collection.interface.encodeFunctionData(name, args),
  })
  const anyToken = () => pick([...holdings.owners.keys()])
  const walletOf = (id: bigint) => wallets.find(({ address }) => address === holdings.owners.get(id))
  let isDropped = false
  const newLine = () => mostly(newKey(), () => pick([...holdings.usedLines, ZeroHash]))

  async function randomLine(): Promise<DeliveryLine> {
    const id = anyToken()
    const holder = walletOf(id)
    const to = mostly<DeliveryLine['to']>(random() < 0.5 ? pick(wallets).address : { account: pick(accounts) }, () =>
      pick([...refusing, delivery, token, signer.address, ZeroAddress, { account: ZeroHash }]),
    )
    const account = mostly(holdings.beneficiaries.get(id) ?? pick(accounts), () => pick(accounts))
    const signedBy = mostly(holder ?? pick(wallets), () => pick(wallets))
    const from = holder ? { wallet: holder.address, permit: await signPermit(signedBy, id) } : { account }
    return { lineId: newLine(), token, id, to, from }
  }

  const actions: Record<string, () => Promise<Omit<Action, 'name'>> | Omit<Action, 'name'>> = {
    mint: () => {
      const to = random() < 0.5 ? { to: delivery, account: pick(accounts) } : { to: pick(wallets).address }
      return { by: mostly(signer, () => second), call: mintCall(token, { mintId: newKey(), ...to, ...work }) }
    },
    deliver: async () => ({ by: pick(signers), call: deliverCall(delivery, await randomLine()) }),
    deliverMany: async () => {
      const lines = [await randomLine(), await randomLine(), await randomLine()]
      return { by: pick(signers), call: deliverManyCall(delivery, lines) }
    },
    changeBeneficiary: () => {
      const id = anyToken()
      const previous = mostly(holdings.beneficiaries.get(id) ?? ZeroHash, () => pick(accounts))
      const call = encode('changeBeneficiary', [newLine(), token, id, previous, pick([...accounts, ZeroHash])])
      return { by: pick(signers), call }
    },
    transfer: () => {
      const id = anyToken()
      const holder = walletOf(id) ?? pick(wallets)
      const to = pick([...wallets.map(({ address }) => address), delivery])
      return { by: holder, call: onToken('transferFrom', [holder.address, to, id]) }
    },
    deposit: () => {
      const id = anyToken()
      const holder = walletOf(id) ?? pick(wallets)
      const data = pick([...accounts, '0x', ZeroHash])
      const deposit = 'safeTransferFrom(address,address,uint256,bytes)'
      return { by: holder, call: onToken(deposit, [holder.address, delivery, id, data]) }
    },
    voidPermits: () => ({ by: pick(wallets), call: onToken('voidPermits', [anyToken()]) }),
    recordStranded: () => {
      const stranded = [...holdings.owners].filter(([id, to]) => to === delivery && !holdings.beneficiaries.has(id))
      const id = pick([...stranded.map(([id]) => id), anyToken()])
      return { by: owner, call: encode('recordStranded', [token, id, pick(accounts)]) }
    },
    changeSigner: () => {
      return { by: owner, call: encode(pick(['addSigner', 'addSigner', 'removeSigner']), [second.address]) }
    },
    changeLimit: () => ({ by: owner, call: encode('setLimitPerHour', [pick(LIMITS)]) }),
    changeCollection: () => {
      isDropped = !isDropped
      return { by: owner, call: encode(isDropped ? 'dropCollection' : 'acceptCollection', [token]) }
    },
    thief: async () => ({ by: pick(wallets), call: deliverCall(delivery, await randomLine()) }),
  }
  const deliveries = ['deliver', 'deliverMany']
  const weighted = [...deliveries, ...deliveries, ...deliveries, ...deliveries, ...Object.keys(actions)]

  return {
    accounts,
    random,
    next: async (): Promise<Action> => {
      const wanted = isDropped && random() < 0.4 ? 'changeCollection' : pick(weighted)
      const name = holdings.owners.size < 6 ? 'mint' : wanted
      return { name, ...(await actions[name]!()) }
    },
  }
}
