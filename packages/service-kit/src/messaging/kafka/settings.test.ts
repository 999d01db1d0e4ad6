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

const oauth = { KAFKA_BROKERS: 'one:9093', KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: 'oauthbearer' }
const client = {
  KAFKA_OAUTH_TOKEN_URL: 'https://login.example/token',
  KAFKA_OAUTH_CLIENT_ID: 'auth',
  KAFKA_OAUTH_CLIENT_SECRET: 'secret',
}

test('a token is in a file, or comes from an endpoint', () => {
  expect(readKafkaSettings({ ...oauth, KAFKA_OAUTH_TOKEN_FILE: '/token' })?.login).toEqual({
    mechanism: 'oauthbearer',
    tokenFile: '/token',
  })
  expect(readKafkaSettings({ ...oauth, ...client, KAFKA_OAUTH_SCOPE: 'kafka' })?.login).toEqual({
    mechanism: 'oauthbearer',
    tokenUrl: 'https://login.example/token',
    clientId: 'auth',
    clientSecret: 'secret',
    scope: 'kafka',
  })
})

test.each([
  ['neither of both', {}, 'either'],
  ['both', { ...client, KAFKA_OAUTH_TOKEN_FILE: '/token' }, 'either'],
  ['no secret', { ...client, KAFKA_OAUTH_CLIENT_SECRET: '' }, 'either'],
  ['a password', { ...client, KAFKA_USERNAME: 'auth', KAFKA_PASSWORD: 'x' }, 'of no use'],
  ['no TLS', { ...client, KAFKA_SSL: 'false' }, 'KAFKA_SSL'],
  ['an endpoint without TLS', { ...client, KAFKA_OAUTH_TOKEN_URL: 'http://login.example/token' }, 'TOKEN_URL'],
  ['another mechanism', { ...client, KAFKA_SASL_MECHANISM: 'plain' }, 'of no use'],
])('a log-in by token is refused with %s', (_, changes, message) => {
  expect(() => readKafkaSettings({ ...oauth, ...changes })).toThrow(message)
})
