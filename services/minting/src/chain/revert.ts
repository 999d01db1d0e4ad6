import { type ErrorDescription, isCallException } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'

/**
 * Why a call failed. `name` is a custom error of our contracts, `Error` (a message), `Panic` (a code), `Unknown` (a
 * stranger's error) or `Silent` (no data: no hook, or out of gas). `text` is for people and logs. A recipient's own
 * code can revert with any data, so decide on events and state (`isLineUsed`), never on a reason.
 */
export type Revert = { name: string; args: Record<string, string>; text: string }

/** Reads revert data (0x-prefixed), from a `Refused` or `MintRefused` log or from a failed call. */
export function parseRevert(data: string): Revert {
  if (data === '0x') return { name: 'Silent', args: {}, text: 'reverted without a reason' }
  const known = describe(data)
  if (!known) return { name: 'Unknown', args: { data }, text: `reverted with ${data}` }

  const args = Object.fromEntries(known.fragment.inputs.map(({ name }, i) => [name || `${i}`, String(known.args[i])]))
  const list = Object.entries(args).map(([name, value]) => `${name} ${value}`)
  return { name: known.name, args, text: `${known.name}(${list.join(', ')})` }
}

/** The revert behind an error that ethers threw for a call or an estimate; undefined when it was something else. */
export function revertOf(error: unknown): Revert | undefined {
  if (!isCallException(error)) return undefined
  return parseRevert(error.data ?? '0x')
}

function describe(data: string): ErrorDescription | undefined {
  for (const contract of [deliveryInterface, collectionInterface]) {
    try {
      const known = contract.parseError(data)
      if (known) return known
    } catch {
      // The selector is known but its arguments are cut or false: as good as unknown.
    }
  }
}
