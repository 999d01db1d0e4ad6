import type { ServiceName } from '@nifty/api/services'
import type { Static, TObject } from 'typebox'

/** One type of event. The topic is the part of `name` before the first dot. */
export type EventContract<Data extends TObject = TObject> = {
  name: `${string}.${string}.v${number}`
  topic: string
  /** The field whose value is the message key: events of one key are consumed in order. */
  key: string
  /** Services that consume it: they alone may read the topic. */
  consumers: readonly ServiceName[]
  data: Data
}

export function defineEvent<Data extends TObject>(contract: {
  name: EventContract['name']
  key: keyof Static<Data> & string
  consumers?: readonly ServiceName[]
  data: Data
}): EventContract<Data> {
  return { consumers: [], ...contract, topic: contract.name.split('.', 1)[0]! }
}
