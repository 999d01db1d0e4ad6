import { createHmac } from 'node:crypto'

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** The `Stripe-Signature` header at a time (seconds): one `v1` per secret, several while a secret is rolled. */
export function signature(body: string, secrets: string[], seconds: number): string {
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${mac(secret, `${seconds}.${body}`)}`)].join(',')
}
