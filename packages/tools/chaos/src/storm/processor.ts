import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFile } from '@nifty/testkit/run-file'

type ProcessorObject = Record<string, any>

export type ProcessorRecord = {
  sessions: ProcessorObject[]
  intents: ProcessorObject[]
  refunds: ProcessorObject[]
  disputes: ProcessorObject[]
  events: ProcessorObject[]
}

const PAGE = 100

/** All objects at the card processor, by its API. */
export async function readProcessor({ processorUrl }: RunFile, folder: string): Promise<ProcessorRecord> {
  const { stripeKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as { stripeKey: string }
  async function all(path: string): Promise<ProcessorObject[]> {
    const found: ProcessorObject[] = []
    for (;;) {
      const last = found.at(-1)
      const query = new URLSearchParams({ limit: String(PAGE), ...(last ? { starting_after: last.id } : {}) })
      const response = await fetch(`${processorUrl}/v1/${path}?${query}`, {
        headers: { authorization: `Bearer ${stripeKey}` },
      })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      const { data, has_more } = (await response.json()) as { data: ProcessorObject[]; has_more: boolean }
      found.push(...data)
      if (!has_more) return found
    }
  }
  return {
    sessions: await all('checkout/sessions'),
    intents: await all('payment_intents'),
    refunds: await all('refunds'),
    disputes: await all('disputes'),
    events: await all('events'),
  }
}
