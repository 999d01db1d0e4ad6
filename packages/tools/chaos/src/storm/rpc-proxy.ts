import { existsSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom } from '../campaign/random.ts'
import { filesOf } from './folder.ts'
import { openJournal } from './journal.ts'

type Call = { id: number; method: string; params: unknown[] }
type Fault = 'error' | 'stale' | 'no receipt' | 'reply lost' | 'slow'

const FAULT_RATE = 0.02
const SLOW_MS = 3_000
const STALE_BLOCKS = 3
const errors = [
  { code: -32005, message: 'rate limit exceeded' },
  { code: -32000, message: 'header not found' },
  { code: -32000, message: 'missing trie node' },
  { code: -32603, message: 'internal error' },
  { code: -32002, message: 'request timed out' },
]

/** Faults that make sense for a method. */
function faultsOf({ method, params }: Call): Fault[] {
  const faults: Fault[] = ['error', 'reply lost', 'slow']
  if (method === 'eth_getBlockByNumber' && ['latest', 'finalized'].includes(String(params[0]))) faults.push('stale')
  if (method === 'eth_getTransactionReceipt') faults.push('no receipt')
  return faults
}

/** `name`: of the node; its faults are those of the seed and the name. */
type Options = { target: string; folder: string; seed: string; name: string }

/** A node with faults in front of the chain's: error bodies, stale heads, missing receipts, lost replies, delays. */
export async function startRpcProxy({ target, folder, seed, name }: Options) {
  const random = createRandom(`${seed}.${name}`)
  const files = filesOf(folder)
  const journal = openJournal(files.journal)

  const forward = async (call: Call): Promise<Record<string, unknown>> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return (await response.json()) as Record<string, unknown>
  }
  /** The response of a node that is some blocks behind. */
  async function stale(call: Call) {
    const { result } = await forward(call)
    const behind = Math.max(0, Number((result as { number: string }).number) - STALE_BLOCKS)
    return forward({ ...call, params: [`0x${behind.toString(16)}`, ...call.params.slice(1)] })
  }

  async function handle(call: Call, response: ServerResponse) {
    const fault = random.chance(FAULT_RATE) && existsSync(files.active) ? random.pick(faultsOf(call)) : undefined
    if (fault) journal.write({ actor: name, what: fault, method: call.method })
    const reply = (body: object) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (fault === 'error') return reply({ jsonrpc: '2.0', id: call.id, error: random.pick(errors) })
    if (fault === 'no receipt') return reply({ jsonrpc: '2.0', id: call.id, result: null })
    if (fault === 'stale') return reply(await stale(call))
    const answer = await forward({ ...call })
    if (fault === 'reply lost') return response.socket?.destroy()
    if (fault === 'slow') setTimeout(() => reply(answer), SLOW_MS)
    else reply(answer)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      handle(JSON.parse(Buffer.concat(chunks).toString()) as Call, response).catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
