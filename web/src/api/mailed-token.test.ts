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

test('the secret of a certificate stays in the address, and the page counts as opened by a link', async () => {
  const replaceState = vi.fn()
  vi.stubGlobal('location', { pathname: '/certificate', search: '', hash: '#secret' })
  vi.stubGlobal('history', { replaceState, state: null })
  vi.resetModules()
  const { openedByMailedLink, takeMailedToken } = await import('./mailed-token.ts')
  takeMailedToken()
  expect(openedByMailedLink()).toBe(true)
  expect(replaceState).not.toHaveBeenCalled()
})
