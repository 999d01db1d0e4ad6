import { Kafka } from 'kafkajs'
import type { Failpoints } from './failpoint.ts'

/** Points before and after each publication and each commit of offsets. */
export function wrapKafka({ hit }: Failpoints) {
  const { producer, consumer } = Kafka.prototype

  Kafka.prototype.producer = function (config) {
    const real = producer.call(this, config)
    return {
      ...real,
      sendBatch: async (batch) => {
        hit('publish, before')
        const result = await real.sendBatch(batch)
        hit('publish, after')
        return result
      },
    }
  }
  Kafka.prototype.consumer = function (config) {
    const real = consumer.call(this, config)
    return {
      ...real,
      run: async ({ eachBatch, ...options } = {}) =>
        real.run({
          ...options,
          eachBatch: (payload) =>
            eachBatch!({
              ...payload,
              commitOffsetsIfNecessary: async (offsets) => {
                hit('commit offsets, before')
                await payload.commitOffsetsIfNecessary(offsets)
                hit('commit offsets, after')
              },
            }),
        }),
    }
  }
}
