import { createKafkaTransport } from '../messaging/kafka/kafka-transport.ts'
import type { KafkaSettings } from '../messaging/kafka/settings.ts'
import { createLocalTransport } from '../messaging/local-transport.ts'
import { testLog } from './log.ts'

export type MemberOptions = {
  transport: { kafka: KafkaSettings } | { local: string }
  group: string
  topics: string[]
}

/** A consumer in a process of its own: prints the id of each message, and never completes one with `block`. */
const { transport: kind, group, topics }: MemberOptions = JSON.parse(process.argv[2]!)
const transport =
  'kafka' in kind
    ? createKafkaTransport({
        settings: kind.kafka,
        clientId: 'member',
        resources: { storeId: 'test', prefix: '' },
        log: testLog,
        onStalled: () => process.exit(1),
        onForeign: () => process.exit(1),
      })
    : await createLocalTransport({ url: kind.local, storeId: 'test', log: testLog })

await transport.subscribe({
  group,
  topics,
  handle: async ({ id, data }) => {
    process.stdout.write(`${id}\n`)
    if ((data as { block?: boolean }).block) await new Promise(() => {})
  },
})
