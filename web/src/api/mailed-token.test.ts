import { expect, test, vi } from 'vitest'

test.each([
  ['reset', '/reset-password/secret', '', '', '/reset-password/link'],
  ['token', '/accept', '?token=secret', '', '/accept'],
  ['newsletter', '/accept', '?newsletter=secret', '', '/accept'],
  ['freeze', '/freeze-account', '', '#secret', '/freeze-account'],
  ['gift', '/gift', '', '#secret', '/gift'],
] as const)(
  'the token of the mailed link "%s" leaves the address before anything else runs, and is there again for a reload',
  async (kind, pathname, search, hash, left) => {
    const replaceState = vi.fn()
    const reload = vi.fn()
    vi.stubGlobal('location', { pathname, search, hash, reload })
    vi.stubGlobal('history', { replaceState, state: { reloaded: true } })
    vi.stubGlobal('addEventListener', vi.fn())
    vi.resetModules()
    const { forgetMailedToken, mailedToken, openedByMailedLink, reloadPage, takeMailedToken } = await import(
      './mailed-token.ts'
    )

    takeMailedToken()

    expect(mailedToken(kind)).toBe('secret')
    expect(openedByMailedLink()).toBe(true)
    expect(replaceState).toHaveBeenLastCalledWith({ reloaded: true }, '', left)

    forgetMailedToken(kind)
    expect(mailedToken(kind)).toBeUndefined()
    // The browser's list of loaded addresses still has it.
    expect(openedByMailedLink()).toBe(true)
    vi.stubGlobal('location', { pathname: left, reload })
    reloadPage()
    expect(replaceState).toHaveBeenLastCalledWith({ reloaded: true }, '', pathname + search + hash)

    const calls = replaceState.mock.calls.length
    vi.stubGlobal('location', { pathname: '/explore-one', reload })
    reloadPage()
    expect(openedByMailedLink()).toBe(true)
    expect(replaceState).toHaveBeenCalledTimes(calls)
    expect(reload).toHaveBeenCalledTimes(2)
  },
)

/** Starts the app at an address. Returns what it does when the browser goes back to another one of the document. */
async function started(pathname: string, hash = '') {
  const replaceState = vi.fn()
  const goBack = vi.fn<(event: Pick<Event, 'stopImmediatePropagation'>) => void>()
  vi.stubGlobal('location', { pathname, search: '', hash })
  vi.stubGlobal('history', { replaceState, state: null })
  vi.stubGlobal('addEventListener', (_type: 'popstate', listener: typeof goBack) => goBack.mockImplementation(listener))
  vi.resetModules()
  const { openedByMailedLink, takeMailedToken } = await import('./mailed-token.ts')
  takeMailedToken()
  const backTo = (path: string, toHash = '#secret') => {
    const [reload, stopImmediatePropagation] = [vi.fn(), vi.fn()]
    vi.stubGlobal('location', { pathname: path, search: '', hash: toHash, reload })
    goBack({ stopImmediatePropagation })
    return [stopImmediatePropagation.mock.calls.length, reload.mock.calls.length]
  }
  return { openedByMailedLink, replaceState, backTo }
}

test.each(['#secret', ''])(
  'the page of a certificate with the fragment "%s" counts as opened by a link, and its address stays',
  async (hash) => {
    const { openedByMailedLink, replaceState, backTo } = await started('/certificate', hash)
    expect(openedByMailedLink()).toBe(true)
    expect(replaceState).not.toHaveBeenCalled()
    expect(backTo('/certificate')).toEqual([0, 0])
  },
)

test('back from a page with third-party scripts to a certificate loads a document without them', async () => {
  const { openedByMailedLink, backTo } = await started('/explore-one')
  expect(openedByMailedLink()).toBe(false)
  expect(backTo('/explore-one')).toEqual([0, 0])
  expect(backTo('/certificate')).toEqual([1, 1])
})

test.each(['/gift', '/freeze-account', '/unsubscribe'])(
  'a link to %s that is opened in a tab at that page already loads a document with its token',
  async (path) => {
    const { backTo } = await started(path, '#former')
    expect(backTo(path, '#newer')).toEqual([1, 1])
    expect(backTo(path, '')).toEqual([0, 0])
  },
)
