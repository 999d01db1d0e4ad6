import { login } from '@nifty/api/auth/public'
import { getMarket, getNft, type Nft } from '@nifty/api/catalog/public'
import {
  type Endpoint,
  type EndpointArguments,
  type EndpointResponse,
  endpointUrl,
  STEP_UP_HEADER,
} from '@nifty/api/endpoint'
import type { ErrorResponse } from '@nifty/api/errors'
import { cancelOrder, type DeliverTo, getOrder, type Order, startPurchase } from '@nifty/api/payments/public'
import type { DemoAccount } from '@nifty/demo-data/account'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

type ApiResponse<Body> = { status: number; body: Body }

/** Body of a successful response, with the fields of an error, which only a refused request has. */
type Answered<E extends Endpoint> = EndpointResponse<E> & Partial<Omit<ErrorResponse, 'success'>>

/** Calls the public API of a store, with a session if `token` is given, and with its step-up token if that is given. */
export function createApiClient(run: RunFile, token?: string, stepUp?: string) {
  /** Any method, path and body, also malformed ones. `send` is the typed form. */
  async function call<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    { cached }: Pick<Endpoint, 'cached'> = {},
  ): Promise<ApiResponse<Body>> {
    const response = await fetch(run.url + path, {
      method,
      headers: {
        ...(token || cached ? { authorization: `Bearer ${token ?? 'none'}` } : {}),
        ...(stepUp ? { [STEP_UP_HEADER]: stepUp } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }

  /**
   * Calls an endpoint of the contracts. Resolves with any status. Cached endpoints always get a token: without one
   * their response may be a second old.
   */
  function send<E extends Endpoint>(endpoint: E, ...[input]: EndpointArguments<E>): Promise<ApiResponse<Answered<E>>> {
    const { params, query, body } = input ?? {}
    return call<Answered<E>>(endpoint.method, endpointUrl(endpoint, { params, query }), body, endpoint)
  }

  return {
    call,
    send,
    token,
    market: async () => (await send(getMarket, { query: { page: '1', limit: '200' } })).body.nfts,
    item: async ({ contract, identifier }: Pick<Nft, 'contract' | 'identifier'>) =>
      (await send(getNft, { params: { username: '@anyone', contract, identifier } })).body,
    buy: ({ _id, price }: Pick<Nft, '_id' | 'price'>, deliverTo?: DeliverTo) =>
      send(startPurchase, { body: { amount: price, items: [{ _id, price }], ...(deliverTo ? { deliverTo } : {}) } }),
    order: async (id: string) => (await send(getOrder, { params: { id } })).body,
    cancel: (id: string) => send(cancelOrder, { params: { id } }),
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

export async function logIn(
  run: RunFile,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<ApiClient> {
  const { body } = await createApiClient(run).send(login, { body: { email, password } })
  if (!body.success) throw new Error(`${email} does not log in: ${body.code}`)
  return createApiClient(run, body.token, body.stepUp)
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
