/** Where events go, and the secrets they are signed with. Without a url they wait. */
export type Endpoint = { url: string | undefined; secrets: string[] }

export type WebhookOptions = {
  url?: string | (() => string | undefined)
  secret: string | string[]
}

export type EndpointHolder = {
  current: () => Endpoint
  change: (change: { url?: string; secrets?: string[] }) => void
}

/** The endpoint as configured; it may move while the processor runs. */
export function createEndpoint({ url, secret }: WebhookOptions): EndpointHolder {
  let moved: { url?: string; secrets?: string[] } = {}
  return {
    current: () => ({
      url: moved.url ?? (typeof url === 'function' ? url() : url),
      secrets: moved.secrets ?? [secret].flat(),
    }),
    change: (change) => {
      moved = { ...moved, ...change }
    },
  }
}
