import { Type } from 'typebox'

/**
 * `STORE_ID`: names the store that databases and topics belong to. It is written into them at the first start; a start
 * with another one refuses.
 */
export const StoreId = Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,98}[A-Za-z0-9])?$' })

/** `RESOURCE_PREFIX`: stands before the names of topics, consumer groups and databases, with a hyphen; may be empty. */
export const ResourcePrefix = Type.String({ default: '', pattern: '^([a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?)?$' })

export type StoreResources = { storeId: string; prefix: string }

/** The name of a topic, consumer group or database on servers that several stores may share. */
export const resourceName = (prefix: string, name: string) => (prefix ? `${prefix}-${name}` : name)

/** A database or topic belongs to somebody else. The message says to whom and what to do. */
export class ForeignResource extends Error {
  constructor(what: string, storeId: string) {
    super(
      `${what}. This is the store ${storeId} (STORE_ID). If they are two stores, give this one names of its own by RESOURCE_PREFIX or a server of its own. If they are one, set STORE_ID to its former value.`,
    )
  }
}
