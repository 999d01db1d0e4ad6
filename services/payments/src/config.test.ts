import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const live = {
  STRIPE_SECRET_KEY: 'sk_live_0',
  STRIPE_WEBHOOK_SECRET: 'whsec_0',
  PUBLIC_URL: 'https://gallery.test',
}

test('a live key starts with https and the processor only', () => {
  expect(readConfig(live).publicUrl).toBe('https://gallery.test')
  expect(() => readConfig({ ...live, PUBLIC_URL: 'http://gallery.test' })).toThrow('PUBLIC_URL')
  const foreign = { ...live, STRIPE_API_URL: 'http://processor:4242' }
  expect(() => readConfig(foreign)).toThrow('STRIPE_API_URL is http://processor:4242')
  expect(readConfig({ ...foreign, ALLOW_FOREIGN_PROCESSOR: 'true' }).processor.apiUrl).toBe('http://processor:4242')
})

test('a key whose mode cannot be read from its beginning is refused', () => {
  for (const STRIPE_SECRET_KEY of [' sk_live_0', 'sk_live_0\n', 'key'])
    expect(() => readConfig({ ...live, STRIPE_SECRET_KEY })).toThrow('STRIPE_SECRET_KEY')
})
