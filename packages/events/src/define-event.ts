import type { Static, TObject } from 'typebox'

/** One kind of message. `name` is also its address: the part before the first dot is the topic. */
export type EventContract<Data extends TObject = TObject> = {
  name: `${string}.${string}.v${number}`
  topic: string
  /** The field whose value keeps related messages in order. */
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
