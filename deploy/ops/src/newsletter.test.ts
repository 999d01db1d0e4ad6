import type { Subscriber } from '@nifty/api/notification/ops'
import { expect, test } from 'vitest'
import type { Report } from './command.ts'
import { newsletterCommands } from './newsletter.ts'
import type { Store } from './store.ts'

const subscriber = (email: string, confirmedAt: string | null): Subscriber => ({
  email,
  confirmedAt,
  unsubscribeUrl: `https://store.test/unsubscribe#${email}`,
  oneClickUrl: 'https://store.test/x',
})

test('the export reads every page and prints one line per address', async () => {
  const asked: (string | undefined)[] = []
  const notification = async (_endpoint: unknown, { body }: { body: { after?: string } }) => {
    asked.push(body.after)
    if (body.after === undefined)
      return { subscribers: [subscriber('ada@x.test', '2026-03-01T12:00:00.000Z')], next: 'ada@x.test' }
    return { subscribers: [subscriber('=eve@x.test', null)], next: null }
  }

  const { run } = newsletterCommands['newsletter export']!
  const { text, json } = (await run({ notification } as unknown as Store, [], { reason: '' })) as Report

  expect(asked).toEqual([undefined, 'ada@x.test'])
  expect(text.split('\r\n')).toEqual([
    '"email","confirmed_at","unsubscribe_url","one_click_url"',
    '"ada@x.test","2026-03-01T12:00:00.000Z","https://store.test/unsubscribe#ada@x.test","https://store.test/x"',
    '"\'=eve@x.test","","https://store.test/unsubscribe#=eve@x.test","https://store.test/x"',
  ])
  expect(json).toMatchObject([
    { email: 'ada@x.test', confirmed_at: '2026-03-01T12:00:00.000Z' },
    { email: '=eve@x.test', confirmed_at: '', unsubscribe_url: 'https://store.test/unsubscribe#=eve@x.test' },
  ])
})
