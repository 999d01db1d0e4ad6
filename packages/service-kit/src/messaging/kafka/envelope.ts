import type { IHeaders, KafkaMessage, Message as KafkaRecord } from 'kafkajs'
import { isUuid } from '../../base/uuid.ts'
import type { Message } from '../message.ts'

const isId = (text: string | undefined): text is string => isUuid(text ?? '')

/** The value is the data, readable by any Kafka tool; everything else is in headers. */
export const toRecord = ({ id, name, key, data, correlationId, traceparent }: Message): KafkaRecord => ({
  key,
  value: JSON.stringify(data),
  headers: { id, name, ...(correlationId === null ? {} : { correlationId }), ...(traceparent ? { traceparent } : {}) },
})

/** The message of a record; undefined for a record that does not have our headers and JSON. */
export function fromRecord(
  topic: string,
  { key, value, headers = {} }: Pick<KafkaMessage, 'key' | 'value' | 'headers'>,
) {
  const id = textOf(headers, 'id')
  const name = textOf(headers, 'name')
  if (!key || !value || !isId(id) || !name) return undefined
  try {
    const data: unknown = JSON.parse(value.toString())
    const message: Message = {
      id,
      name,
      topic,
      key: key.toString(),
      data,
      correlationId: textOf(headers, 'correlationId') ?? null,
      traceparent: textOf(headers, 'traceparent') ?? null,
    }
    return message
  } catch {
    return undefined
  }
}

const textOf = (headers: IHeaders, name: string) => {
  const value = headers[name]
  return Array.isArray(value) ? undefined : value?.toString()
}
