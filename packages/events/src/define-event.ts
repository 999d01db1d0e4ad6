import type { Static, TObject } from 'typebox'

/** One type of event. The topic is the part of `name` before the first dot. */
export type EventContract<Data extends TObject = TObject> = {
  name: `${string}.${string}.v${number}`
  topic: string
  /** The field whose value is the message key: events of one key are consumed in order. */
  key: string
  data: Data
}

export function defineEvent<Data extends TObject>(contract: {
  name: EventContract['name']
  key: keyof Static<Data> & string
  data: Data
}): EventContract<Data> {
  return { ...contract, topic: contract.name.split('.', 1)[0]! }
}
