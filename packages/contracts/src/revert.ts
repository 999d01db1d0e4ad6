import { type ErrorDescription, isCallException, type JsonRpcProvider, type TransactionRequest } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'

/**
 * Why a call failed. `name` is a custom error of our contracts, `Error` (a message), `Panic` (a code), `Unknown` (an
 * error of another contract) or `Silent` (no data: no hook, or out of gas). `text` is for logs and operators. A
 * recipient's code can revert with any data: decide on events and state (`isLineUsed`), never on a reason.
 */
export type Revert = { name: string; args: Record<string, string>; text: string }

/** Parses revert data (0x-prefixed), from a `Refused` or `MintRefused` log or from a failed call. */
export function parseRevert(data: string): Revert {
  if (data === '0x') return { name: 'Silent', args: {}, text: 'reverted without a reason' }
  const parsed = describe(data)
  if (!parsed) return { name: 'Unknown', args: { data }, text: `reverted with ${data}` }

  const args = Object.fromEntries(parsed.fragment.inputs.map(({ name }, i) => [name || `${i}`, String(parsed.args[i])]))
  const list = Object.entries(args).map(([name, value]) => `${name} ${value}`)
  return { name: parsed.name, args, text: `${parsed.name}(${list.join(', ')})` }
}

/** The error code of a revert, in nodes that follow geth. */
const REVERT_CODE = 3

/**
 * The revert in an error of ethers' call or estimate: it has revert data, or the code 3. Undefined for other errors:
 * ethers makes every JSON-RPC error of a call a CALL_EXCEPTION, also a rate limit or a missing block.
 */
export function revertOf(error: unknown): Revert | undefined {
  if (!isCallException(error)) return undefined
  if (error.data === null && error.info?.error?.code !== REVERT_CODE) return undefined
  return parseRevert(error.data ?? '0x')
}

/**
 * Whether a call succeeds at the newest block. False for a revert, for too little gas, and for a call that the node
 * refuses.
 */
export async function succeeds(provider: JsonRpcProvider, call: TransactionRequest): Promise<boolean> {
  try {
    await provider.call(call)
    return true
  } catch (error) {
    if (isCallException(error)) return false
    throw error
  }
}

function describe(data: string): ErrorDescription | undefined {
  for (const contract of [deliveryInterface, collectionInterface]) {
    try {
      const parsed = contract.parseError(data)
      if (parsed) return parsed
    } catch {
      // The selector matches, but its arguments are truncated or invalid: treated as an unknown error.
    }
  }
}
