import { randomUUID } from 'node:crypto'
import type { EventContract } from '@nifty/events/define-event'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Message } from '../messaging/message.ts'

/** A message as it would arrive; `id` given again is the same message again. */
export function messageOf<Data extends TObject>(
  event: EventContract<Data>,
  data: Static<Data>,
  id: string = randomUUID(),
): Message {
  const checked = Value.Parse(event.data, data) as Record<string, unknown>
  return {
    id,
    name: event.name,
    topic: event.topic,
    key: String(checked[event.key]),
    data: checked,
    correlationId: null,
  }
}
