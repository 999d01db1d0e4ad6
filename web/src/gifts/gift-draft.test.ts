import { expect, test, vi } from 'vitest'

const draft = { email: 'ben@people.test', text: 'For you' }

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
})

/** A document of a tab: its modules anew, over what the browser keeps. */
async function openDocument({ userId, inTab }: { userId: string; inTab: Map<string, string> }) {
  vi.resetModules()
  vi.stubGlobal('localStorage', storageOf(new Map([['userId', userId]])))
  vi.stubGlobal('sessionStorage', storageOf(inTab))
  return import('./gift-draft.ts')
}

test('what was entered for a gift survives a reload, for its work and its account only', async () => {
  const inTab = new Map<string, string>()
  const before = await openDocument({ userId: 'ada', inTab })
  before.keepGiftDraft('dusk', draft)
  before.keepGiftDraft('dawn', { ...draft, text: '' })

  const { readGiftDraft, keepGiftDraft } = await openDocument({ userId: 'ada', inTab })
  expect(readGiftDraft('dusk')).toEqual(draft)
  expect(readGiftDraft('noon')).toBeNull()
  keepGiftDraft('dawn', null)
  expect([readGiftDraft('dawn'), readGiftDraft('dusk')]).toEqual([null, draft])
  expect((await openDocument({ userId: 'ben', inTab })).readGiftDraft('dusk')).toBeNull()
})

test('a log-out or a purchase leaves nothing of it in the tab', async () => {
  const inTab = new Map<string, string>()
  const { keepGiftDraft, forgetGiftDrafts } = await openDocument({ userId: 'ada', inTab })
  keepGiftDraft('dusk', draft)
  expect(inTab.size).toBe(1)
  forgetGiftDrafts()
  expect(inTab.size).toBe(0)
})

test('storage that is forbidden or has another content keeps nothing', async () => {
  const inTab = new Map([['gift_drafts', 'null']])
  const { readGiftDraft } = await openDocument({ userId: 'ada', inTab })
  expect(readGiftDraft('dusk')).toBeNull()
  vi.stubGlobal('sessionStorage', undefined)
  const { keepGiftDraft } = await import('./gift-draft.ts')
  keepGiftDraft('dusk', draft)
  expect(readGiftDraft('dusk')).toBeNull()
})
