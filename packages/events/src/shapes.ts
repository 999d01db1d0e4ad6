import { Type } from 'typebox'

export const Id = Type.String({ format: 'uuid' })

/** Time of the event, ISO 8601 with milliseconds, UTC. */
export const At = Type.String({ minLength: 20 })

export const Cents = Type.Integer({ minimum: 0 })

/** Checksummed (EIP-55) address. */
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })

/** Hash of a transaction. */
export const TxHash = Type.String({ pattern: '^0x[0-9a-f]{64}$' })

/** Identifier of a token in all services: contract in lower case, a slash, the identifier in decimal. */
export const Token = Type.String({ pattern: '^0x[0-9a-f]{40}/[0-9]+$' })

export const tokenOf = (contract: string, identifier: string) => `${contract.toLowerCase()}/${identifier}`

/** Most accounts of one `catalog.item-news` event. */
export const MAX_NEWS_ACCOUNTS = 500
