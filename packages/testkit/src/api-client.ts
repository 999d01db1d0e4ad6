import type { Nft, NftDetail } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import type { DemoAccount } from '@nifty/demo-data/account'
import type { RunFile } from '@nifty/local/run-file'
import { waitUntil } from './wait-until.ts'

type ApiResponse<Body> = { status: number; body: Body }

/** Calls the public API of a store, with a session if `token` is given. */
export function createApiClient(run: RunFile, token?: string) {
  async function call<Body = any>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>> {
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

export type ApiClient = ReturnType<typeof createApiClient>

export async function logIn(
  run: RunFile,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<ApiClient> {
  const { body } = await createApiClient(run).call('POST', '/api/auth/login', { email, password })
  return createApiClient(run, body.token)
}

export const accountsOf = (run: RunFile, role: DemoAccount['role']) =>
  run.accounts.filter((account) => account.role === role)

/** Pays a session at the card sandbox, as its hosted page does. */
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

/** The card sandbox's own ledger, independent of the store. Amounts are cents. */
export async function ledgerOf({ processorUrl }: RunFile): Promise<Ledger> {
  const response = await fetch(`${processorUrl}/sandbox/ledger`)
  return (await response.json()) as Ledger
}

/** Polls an order until it has this state. */
export const untilOrder = (client: ApiClient, id: string, state: Order['state']) =>
  waitUntil(async () => {
    const order = await client.order(id)
    return order.state === state ? order : undefined
  })
