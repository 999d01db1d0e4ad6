import type { Access } from './endpoint.ts'

/** Who may call an endpoint, in the OpenAPI document. */
export const accessTexts: Record<Access, string> = {
  public: 'Public.',
  optional: 'Public, and more for a valid bearer token.',
  account: 'Needs a bearer token: 401 without a valid one.',
  seller: 'Needs a bearer token of an account that may sell: 401 without one, 403 of another account.',
  service: 'For other services only.',
  operator: 'For operators only.',
}
