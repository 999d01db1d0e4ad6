import {
  closeFinding,
  findHandBack,
  handBackWorks,
  listSigners,
  resumeSigner,
  retryDelivery,
} from '@nifty/api/minting/ops'
import { retryOutcome } from '@nifty/api/minting/retry-outcome'
import { listSecurityEvents } from '@nifty/api/security-events'
import { type Command, parseAddress } from './command.ts'
import { table } from './format.ts'
import { lineIdOf } from './lookup.ts'

/** Days before a deletion whose security events an operator sees before works are handed back. */
const CHANGES_DAYS = 7

export const deliveryCommands: Record<string, Command> = {
  'retry-delivery': {
    usage: '<order, transaction or line>',
    about: 'retries a waiting delivery now, or a signed one with a higher fee',
    changes: 'audited',
    run: async (store, args, action) => {
      const retried = await store.minting(retryDelivery, {
        body: { lineId: await lineIdOf(store, args[0]!), ...action },
      })
      const { result } = retried
      return { text: retryOutcome(retried), ok: result === 'due_now' || result === 'fee_bump_requested' }
    },
  },
  'hand-back': {
    usage: '<code> <wallet address>',
    about:
      'shows the last changes of a deleted account, and sends the works that it gave up to a wallet, from 24 hours to 30 days after the deletion, with the code of its last mail',
    changes: 'audited',
    preview: async (store, [code, address]) => {
      parseAddress(address!)
      const { userId, deletedAt, from } = await store.minting(findHandBack, { body: { code: code! } })
      const since = new Date(Date.parse(deletedAt) - CHANGES_DAYS * 24 * 3_600_000).toISOString()
      const { events } = await store.auth(listSecurityEvents, { query: { user: userId, since } })
      const rows = events.reverse().map(({ at, kind, outcome, address }) => [at, kind, outcome, address])
      const text = [
        `The account ${userId} was deleted at ${deletedAt}. Its last ${CHANGES_DAYS} days:`,
        table([['time', 'kind', 'outcome', 'address'], ...rows]),
        `Works are handed back from ${from} on. Do not, if a change above was not the owner's.`,
      ].join('\n')
      return { text, ok: true, changes: new Date(from) <= new Date() }
    },
    run: async (store, [code, address], action) => {
      const wallet = parseAddress(address!)
      const { withdrawals } = await store.minting(handBackWorks, { body: { code: code!, wallet, ...action } })
      if (withdrawals.length === 0) return 'The store keeps no work for this account.'
      const rows = withdrawals.map(({ identifier, wallet, state, txHash }) => [
        identifier,
        wallet,
        state,
        txHash ?? '-',
      ])
      return table([['token', 'wallet', 'state', 'transaction'], ...rows])
    },
  },
  'close-finding': {
    usage: '<transaction hash>',
    about: 'closes what the audit or `reconcile` found about a transaction on the chain, once it is settled',
    changes: 'audited',
    run: async (store, args, action) => {
      await store.minting(closeFinding, { body: { hash: args[0]!, ...action } })
      return `What was found about ${args[0]} is closed.`
    },
  },
  'resume-signer': {
    usage: '[address]',
    about: 'resumes a signer after a halt whose cause is found; without an address, the only halted one',
    changes: 'audited',
    run: async (store, args, action) => {
      const { signers } = await store.minting(listSigners)
      const address = args[0] ?? onlyHalted({ signers })
      const { nextNonce } = await store.minting(resumeSigner, { body: { address, ...action } })
      const isDraining = signers.some((signer) => signer.address === address && signer.state === 'draining')
      return isDraining
        ? `Signer ${address} is resumed, and signs nothing new, because it is draining. If it is to sign: \`pnpm ops signers add ${address}\`.`
        : `Signer ${address} continues with nonce ${nextNonce}.`
    },
  },
}

function onlyHalted({ signers }: { signers: { address: string; haltedReason: string | null }[] }): string {
  const halted = signers.filter(({ haltedReason }) => haltedReason !== null).map(({ address }) => address)
  if (halted.length > 1) throw new Error(`Several signers are halted, name one: ${halted.join(', ')}`)
  const [address] = halted
  if (!address) throw new Error('No signer is halted.')
  return address
}
