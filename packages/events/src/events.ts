import * as auth from './auth.ts'
import * as catalog from './catalog.ts'
import type { EventContract } from './define-event.ts'
import * as minting from './minting.ts'
import * as payments from './payments.ts'

const isEvent = (value: object): value is EventContract => 'topic' in value

/** Every event of the store. */
export const events: EventContract[] = [auth, catalog, minting, payments]
  .flatMap((module): object[] => Object.values(module))
  .filter(isEvent)
