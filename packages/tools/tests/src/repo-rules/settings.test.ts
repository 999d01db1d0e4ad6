import { readFileSync } from 'node:fs'
import { neededWithLiveKey } from '@nifty/service-kit/base/live-key'
import { expect, test } from 'vitest'
import { settingsFile, settingsOfShop, settingsText } from '../deploy/settings-file.ts'

const settings = Object.values(settingsOfShop()).flat()
const names = settings.map(({ name }) => name)

test('the example of a shop has every setting with the comment of its schema', () => {
  expect(settings.length).toBeGreaterThan(80)
  expect(
    settings.filter(({ description }) => !description).map(({ name }) => name),
    'write a comment above the entry of the schema',
  ).toEqual([])
  expect(readFileSync(settingsFile, 'utf8'), 'run `pnpm docs:values`').toBe(settingsText())
})

test('servers of others, what a proxy and a live key need and what decides about money are among them', () => {
  const needed = [
    'TRUSTED_PROXIES',
    'CHAIN_FROM_BLOCK',
    'CHAIN_PUBLIC_RPC_URL',
    'CHAIN_EXPLORER_URL',
    'CHAIN_RPC_URL_2',
    'HOST',
    'PAYOUT_HOLD_DAYS',
    'ROYALTY_BPS',
    'UPLOADS_DIR',
    'UPLOADS_URL',
    'OPERATORS',
    'WALLET_DENY_LIST',
    'THIRD_PARTY_ORIGINS',
    'LOG_LEVEL',
    'KAFKA_BROKERS',
    'REDIS_URL',
    'VIDEO_URL',
  ]
  expect([...needed, ...neededWithLiveKey].filter((name) => !names.includes(name))).toEqual([])
})

test('a default is that of the schema', () => {
  const defaultOf = (name: string) => settings.find((setting) => setting.name === name)?.value
  expect(
    ['PORT', 'PUBLIC_URL', 'COMMISSION_PERCENT', 'CHAIN_BUMP_AFTER_MS', 'MAIL_FROM', 'POSTGRES_URL'].map(defaultOf),
  ).toEqual(['8080', 'http://localhost:8080', '10', '20000', 'hello@store.example', ''])
})
