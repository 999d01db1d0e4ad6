import type { IHeaders, KafkaMessage, Message as KafkaRecord } from 'kafkajs'
import type { Message } from '../transport.ts'

const isId = (text: string | undefined): text is string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text ?? '')

/** The data are the value, so that any Kafka tool can read them; what belongs to the way is in the headers. */
export const seal = ({ id, name, key, data, correlationId, traceparent }: Message): KafkaRecord => ({
  key,
  value: JSON.stringify(data),
  headers: { id, name, ...(correlationId === null ? {} : { correlationId }), ...(traceparent ? { traceparent } : {}) },
})

/** The message, or undefined when it is none of ours: no service can do anything with it, now or later. */
export function open(topic: string, { key, value, headers = {} }: Pick<KafkaMessage, 'key' | 'value' | 'headers'>) {
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
