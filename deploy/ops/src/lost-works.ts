import { parseLookup } from '@nifty/api/lookup'
import { acknowledgeLostWork, compareToken, type TokenSides } from '@nifty/api/payments/lost-works'
import type { Command } from './command.ts'
import { table } from './format.ts'

export const lostWorkCommands: Record<string, Command> = {
  'acknowledge-lost-work': {
    usage: '<token, or the address of a page>',
    about:
      'records that a work on the chain is lost, so that `reconcile` counts it no more; without --yes only shows both sides',
    changes: 'audited',
    preview: async (store, args) => {
      const sides = await store.payments(compareToken, { query: { token: tokenOf(args) } })
      return { text: printed(sides), ok: isAgreed(sides), changes: isLost(sides) && !sides.acknowledged }
    },
    run: async (store, args, action) => {
      const sides = await store.payments(acknowledgeLostWork, { body: { token: tokenOf(args), ...action } })
      return `${printed(sides)}\nIt counts no more from the next \`pnpm ops reconcile\` on.`
    },
  },
}

/** As the index of the chain has it, and `reconcile` prints it. */
function tokenOf([text]: string[]): string {
  const lookup = parseLookup(text!)
  return lookup.kind === 'token' ? lookup.token : text!.toLowerCase()
}

const isLost = ({ chain, item }: TokenSides) => chain !== null && item === null
const isAgreed = (sides: TokenSides) => sides.difference === null || sides.acknowledged !== null

function printed(sides: TokenSides): string {
  const { token, chain, item } = sides
  const owner = (side: { ownerId: string | null } | null) => (side ? (side.ownerId ?? 'an unknown wallet') : '-')
  const rows = [
    ['', 'on the chain', 'in catalog'],
    ['exists', chain ? 'yes' : 'no', item ? 'yes' : 'no'],
    ['owner', owner(chain), owner(item)],
  ]
  return [`Token ${token}`, '', table(rows), '', conclusion(sides)].join('\n')
}

function conclusion(sides: TokenSides): string {
  const { chain, difference, acknowledged } = sides
  if (acknowledged) return `Acknowledged by ${acknowledged.by} on ${acknowledged.at}: ${acknowledged.reason}`
  if (difference === null) return 'Both sides agree.'
  if (!isLost(sides)) return `It ${difference}: that is no lost work, see the runbook NiftyReconciliationFailed.`
  return chain!.hasMint
    ? 'It is not lost: minting has its description, and `pnpm ops republish minting --since TIME` publishes it to catalog again.'
    : 'Its description is lost: minting has no mint of it. Acknowledging this keeps the token and its owner as they are.'
}
