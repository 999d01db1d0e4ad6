import { expect, test } from 'vitest'
import { readKafkaSettings } from './settings.ts'

const login = { KAFKA_BROKERS: 'one:9092, two:9092', KAFKA_USERNAME: 'auth', KAFKA_PASSWORD: 'secret' }

test('KAFKA_SASL_MECHANISM is how a client logs in: SCRAM-SHA-512 unless another one is set', () => {
  expect(readKafkaSettings(login)?.login?.mechanism).toBe('scram-sha-512')
  for (const mechanism of ['plain', 'scram-sha-256'])
    expect(readKafkaSettings({ ...login, KAFKA_SASL_MECHANISM: mechanism })?.login).toEqual({
      mechanism,
      username: 'auth',
      password: 'secret',
    })
  expect(() => readKafkaSettings({ ...login, KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow('KAFKA_SASL_MECHANISM')
})

test('brokers are separated by commas, and none is no Kafka', () => {
  expect(readKafkaSettings(login)?.brokers).toEqual(['one:9092', 'two:9092'])
  expect(readKafkaSettings({})).toBeUndefined()
})
