/** Address and signing secrets. Without a url, events are kept until one is set. */
export type Endpoint = { url: string | undefined; secrets: string[] }

export type WebhookOptions = {
  url?: string | (() => string | undefined)
  secret: string | string[]
}

export type WebhookEndpoint = {
  current: () => Endpoint
  change: (change: { url?: string; secrets?: string[] }) => void
}

/** The configured endpoint, which the control API can change at run time. */
export function createWebhookEndpoint({ url, secret }: WebhookOptions): WebhookEndpoint {
  let changed: { url?: string; secrets?: string[] } = {}
  return {
    current: () => ({
      url: changed.url ?? (typeof url === 'function' ? url() : url),
      secrets: changed.secrets ?? [secret].flat(),
    }),
    change: (change) => {
      changed = { ...changed, ...change }
    },
  }
}
