import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import { ZeroAddress } from 'ethers'
import { type Command, parseAddress } from './command.ts'
import { readContracts } from './custody.ts'
import { asOwner } from './owner-transactions.ts'

type Contract = ReturnType<typeof collectionAt> | ReturnType<typeof deliveryAt>

/** Replace the owner's key, in two steps that take effect at once. Both are safe to repeat. */
export const ownerCommands: Record<string, Command> = {
  'owner transfer': {
    usage: '<address>',
    about: 'offers both contracts to another owner with CHAIN_OWNER_KEY; the present one stays until `owner accept`',
    changes: 'unaudited',
    run: async (_store, args) => {
      const next = parseAddress(args[0]!)
      await onEachContract('owner', async (contract, send) => {
        if ((await contract.pendingOwner()) !== next) await send(contract.transferOwnership(next))
      })
      return `${next} becomes the owner of both contracts with \`pnpm ops owner accept\`.`
    },
  },
  'owner accept': {
    usage: '',
    about: 'takes both contracts over with CHAIN_OWNER_KEY, the key to which `owner transfer` has offered them',
    changes: 'unaudited',
    run: async () => {
      const owners = await onEachContract('pendingOwner', async (contract, send, address) => {
        if ((await contract.owner()) !== address) await send(contract.acceptOwnership())
        return contract.owner()
      })
      return `The owner of both contracts is ${owners[0]}.`
    },
  },
}

/** `by`: the role on the contract that CHAIN_OWNER_KEY has to have; a pending owner that has accepted is the owner. */
async function onEachContract<Result>(
  by: 'owner' | 'pendingOwner',
  use: (
    contract: Contract,
    send: (sent: ReturnType<Contract['transferOwnership']>) => Promise<void>,
    address: string,
  ) => Promise<Result>,
): Promise<Result[]> {
  const { chainId, collection, delivery } = readContracts(process.env)
  const results: Result[] = []
  for (const connect of [
    (runner: Parameters<typeof deliveryAt>[1]) => deliveryAt(delivery, runner),
    (runner: Parameters<typeof deliveryAt>[1]) => collectionAt(collection, runner),
  ]) {
    const holder = async (contract: Contract) => {
      const pending = by === 'pendingOwner' ? String(await contract.pendingOwner()) : ZeroAddress
      return pending === ZeroAddress ? contract.owner() : pending
    }
    const asHolder = (runner: Parameters<typeof deliveryAt>[1]) => ({ owner: () => holder(connect(runner)) })
    results.push(await asOwner(chainId, asHolder, ({ wallet, send }) => use(connect(wallet), send, wallet.address)))
  }
  return results
}
