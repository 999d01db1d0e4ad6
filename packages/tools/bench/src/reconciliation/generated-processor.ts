import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Generated } from './generated.ts'

/** About the size of an intent of the real processor with its charge. */
const OTHER_FIELDS = 'x'.repeat(2_500)

/** A card processor whose lists are computed: `orders` captured intents, newest first, and nothing else. */
export async function startGeneratedProcessor({ orders, firstAt, everyMs, priceCents }: Generated) {
  const createdAt = (index: number) => Math.floor((firstAt + index * everyMs) / 1000)
  const intentOf = (index: number) => ({
    id: `pi_${index}`,
    object: 'payment_intent',
    amount: priceCents,
    amount_received: priceCents,
    currency: 'eur',
    status: 'succeeded',
    cancellation_reason: null,
    created: createdAt(index),
    description: OTHER_FIELDS,
    metadata: { order: orderId(index) },
    latest_charge: {
      id: `ch_${index}`,
      object: 'charge',
      captured: true,
      amount_refunded: 0,
      disputed: false,
      created: createdAt(index),
    },
  })

  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    const { pathname, searchParams } = new URL(request.url!, 'http://processor')
    const reply = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const id = /^\/v1\/payment_intents\/pi_(\d+)$/.exec(pathname)?.[1]
    if (id) return reply(intentOf(Number(id)))
    if (pathname !== '/v1/payment_intents') return reply({ object: 'list', data: [], has_more: false, url: pathname })

    const bound = (name: string) => Number(searchParams.get(`created[${name}]`))
    const [oldest, newest] = [bound('gte'), bound('lte')]
    const after = searchParams.get('starting_after')
    let index = after ? Number(after.slice(3)) - 1 : orders - 1
    while (index >= 0 && createdAt(index) > newest) index--
    const data: object[] = []
    for (; data.length < 100 && index >= 0 && createdAt(index) >= oldest; index--) data.push(intentOf(index))
    reply({ object: 'list', data, has_more: index >= 0 && createdAt(index) >= oldest, url: pathname })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The ids that `generated.ts` inserts. */
const orderId = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
