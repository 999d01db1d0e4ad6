import { listSigners } from '@nifty/api/minting/ops'
import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import { deploySuccessor } from '@nifty/contracts/deploy'
import { connectChain } from '@nifty/contracts/provider'
import { ZeroAddress, ZeroHash } from 'ethers'
import { type Command, parseAddress } from './command.ts'
import { POLYGON, parseSigners, readChain } from './contracts.ts'
import { asOwner } from './owner-transactions.ts'
import { ServiceDown, type Store, UsageError } from './store.ts'

/** About 60,000 gas each. */
const TOKENS_PER_TRANSACTION = 100

/**
 * Moves the custody to a successor of the delivery contract (procedure in packages/contracts/solidity/README.md). They
 * need no store: minting is stopped while tokens move, which `custody move` checks. CHAIN_DELIVERY is the present
 * contract until the end.
 */
export const custodyCommands: Record<string, Command> = {
  'custody deploy': {
    usage: '<signer addresses>',
    about:
      'deploys a successor of the delivery contract with CHAIN_DEPLOYER_KEY, with its limit per hour unless CHAIN_MOVES_PER_HOUR is set; moves nothing',
    changes: 'unaudited',
    run: async (_store, args) => {
      const { collection, delivery } = readContracts(process.env)
      const { rpcUrl, chainId, deployerKey, limits } = readChain(process.env)
      const signers = parseSigners(args[0]!, deployerKey)
      const provider = connectChain({ rpcUrl, chainId })
      try {
        const present = deliveryAt(delivery, provider)
        const ownerAddress = String(await present.owner())
        const movesPerHour = process.env.CHAIN_MOVES_PER_HOUR
          ? limits.movesPerHour
          : Number(await present.limitPerHour())
        const wanted = { signers, ownerAddress, collection, delivery, movesPerHour }
        return `Successor: ${await deploySuccessor({ provider, deployerKey, ...wanted })}`
      } finally {
        provider.destroy()
      }
    },
  },
  'custody announce': {
    usage: '<successor address>',
    about: 'announces the hand-over of all tokens in custody with CHAIN_OWNER_KEY, possible after 48 hours',
    changes: 'unaudited',
    run: (_store, args) =>
      withDelivery(async ({ delivery, send, wallet }) => {
        const successor = deliveryAt(parseAddress(args[0]!), wallet)
        const { collection, delivery: present } = readContracts(process.env)
        if ((await successor.predecessor()) !== present || !(await successor.isCollection(collection)))
          throw new Error(`${args[0]} is no successor of ${present} for ${collection}`)
        await send(delivery.announceHandOver(args[0]!))
        return describe(delivery)
      }),
  },
  'custody cancel': {
    usage: '',
    about: 'cancels the announced hand-over with CHAIN_OWNER_KEY',
    changes: 'unaudited',
    run: () =>
      withDelivery(async ({ delivery, send }) => {
        await send(delivery.cancelHandOver())
        return describe(delivery)
      }),
  },
  'custody move': {
    usage: '',
    about: 'hands all tokens in custody over to the announced successor with CHAIN_OWNER_KEY; minting is stopped',
    changes: 'unaudited',
    run: async (store) => {
      await refuseRunningMinting(store)
      return withDelivery(async ({ delivery, send, wallet }) => {
        const { collection } = readContracts(process.env)
        const held = await inCustody(delivery, Number(await collectionAt(collection, wallet).totalMinted()))
        for (let first = 0; first < held.length; first += TOKENS_PER_TRANSACTION)
          await send(delivery.handOver(collection, held.slice(first, first + TOKENS_PER_TRANSACTION)))
        return `${held.length} tokens are handed over. Set CHAIN_DELIVERY=${await delivery.successor()} and start minting.`
      })
    },
  },
}

/**
 * Minting that runs with the present contract takes each token of a hand-over for a withdrawal to an unknown wallet:
 * the works lose owner and listing. A minting at an address that this tool does not have is not found.
 */
async function refuseRunningMinting(store: Store) {
  const isRunning = await store.minting(listSigners).then(
    () => true,
    (error) => {
      if (error instanceof ServiceDown) return false
      throw error
    },
  )
  if (isRunning) throw new Error('Minting runs. Stop it before the custody moves, or works lose their owners.')
}

type Delivery = ReturnType<typeof deliveryAt>

const withDelivery = <Result>(
  use: (owner: Parameters<Parameters<typeof asOwner<Result>>[2]>[0] & { delivery: Delivery }) => Promise<Result>,
) => {
  const { chainId, delivery } = readContracts(process.env)
  const connect = (owner: Parameters<typeof deliveryAt>[1]) => deliveryAt(delivery, owner)
  return asOwner(chainId, connect, (owner) => use({ ...owner, delivery: connect(owner.wallet) }))
}

/** The tokens with a beneficiary. Token ids start at 1 and have no gaps. */
async function inCustody(delivery: Delivery, totalMinted: number): Promise<number[]> {
  const { collection } = readContracts(process.env)
  const held: number[] = []
  for (let first = 1; first <= totalMinted; first += TOKENS_PER_TRANSACTION) {
    const ids = Array.from({ length: Math.min(TOKENS_PER_TRANSACTION, totalMinted - first + 1) }, (_, i) => first + i)
    const accounts = await Promise.all(ids.map((id) => delivery.beneficiaryOf(collection, id)))
    held.push(...ids.filter((_, i) => accounts[i] !== ZeroHash))
  }
  return held
}

async function describe(delivery: Delivery): Promise<string> {
  const successor = String(await delivery.successor())
  if (successor === ZeroAddress) return 'No hand-over is announced.'
  const from = new Date(Number(await delivery.handOverFrom()) * 1000)
  return `The custody can be handed over to ${successor} from ${from.toISOString()} on.`
}

export function readContracts({ CHAIN_ID, CHAIN_COLLECTION, CHAIN_DELIVERY }: NodeJS.ProcessEnv) {
  if (!CHAIN_COLLECTION || !CHAIN_DELIVERY) throw new UsageError('CHAIN_COLLECTION and CHAIN_DELIVERY must be set')
  return {
    chainId: CHAIN_ID ? Number(CHAIN_ID) : POLYGON,
    collection: parseAddress(CHAIN_COLLECTION),
    delivery: parseAddress(CHAIN_DELIVERY),
  }
}
