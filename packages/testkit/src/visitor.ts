import type { Nft, NftDetail } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import type { DemoAccount } from '@nifty/demo-data/account'
import type { RunFile } from '@nifty/local/run-file'
import { until } from './until.ts'

type Answer<Body> = { status: number; body: Body }

/** Somebody who uses the store over HTTP. */
export function createVisitor(run: RunFile, token?: string) {
  async function call<Body = any>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(run.url + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }

  return {
    call,
    token,
    market: async () => (await call<{ nfts: Nft[] }>('GET', '/api/nfts/market?page=1&limit=200')).body.nfts,
    item: async ({ contract, identifier }: Pick<Nft, 'contract' | 'identifier'>) =>
      (await call<NftDetail>('GET', `/api/nfts/@anyone/${contract}/${identifier}`)).body,
    buy: ({ _id, price }: Pick<Nft, '_id' | 'price'>) =>
      call<{ success: boolean; url: string; orderId: string; message: string; code: string }>(
        'POST',
        '/api/nfts/test',
        {
          amount: price,
          items: [{ _id, price }],
        },
      ),
    order: async (id: string) => (await call<Order>('GET', `/api/orders/${id}`)).body,
    cancel: (id: string) => call<Order>('POST', `/api/orders/${id}/cancel`),
  }
}

export type Visitor = ReturnType<typeof createVisitor>

export async function signIn(
  run: RunFile,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<Visitor> {
  const { body } = await createVisitor(run).call('POST', '/api/auth/login', { email, password })
  return createVisitor(run, body.token)
}

export const accountsOf = (run: RunFile, role: DemoAccount['role']) =>
  run.accounts.filter((account) => account.role === role)

/** Pays at the sandbox as the hosted page would. */
export async function pay({ processorUrl }: RunFile, url: string, card: string) {
  const session = new URL(url).pathname.split('/').at(-1)
  const response = await fetch(`${processorUrl}/sandbox/sessions/${session}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card }),
  })
  return { status: response.status, body: (await response.json()) as { status: 'authorised' | 'declined' } }
}

export type Ledger = {
  entries: { kind: string; reference: string; amount: number }[]
  totals: { held: number; captured: number; released: number; inFlight: number }
}

/** What the processor itself remembers of money: the independent witness. Amounts are cents. */
export async function ledgerOf({ processorUrl }: RunFile): Promise<Ledger> {
  const response = await fetch(`${processorUrl}/sandbox/ledger`)
  return (await response.json()) as Ledger
}

export const untilOrder = (visitor: Visitor, id: string, state: Order['state']) =>
  until(async () => {
    const order = await visitor.order(id)
    return order.state === state ? order : undefined
  })
