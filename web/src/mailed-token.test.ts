import { expect, test, vi } from 'vitest'

test.each([
  ['reset', '/reset-password/secret', '', '', '/reset-password/link'],
  ['token', '/accept', '?token=secret', '', '/accept'],
  ['newsletter', '/accept', '?newsletter=secret', '', '/accept'],
  ['freeze', '/freeze-account', '', '#secret', '/freeze-account'],
] as const)(
  'the token of the mailed link "%s" leaves the address before anything else runs',
  async (kind, pathname, search, hash, left) => {
    const replaceState = vi.fn()
    vi.stubGlobal('location', { pathname, search, hash })
    vi.stubGlobal('history', { replaceState, state: { reloaded: true } })
    vi.resetModules()
    const { mailedToken, openedByMailedLink, showsMailedLink, takeMailedToken } = await import('./mailed-token.ts')

    takeMailedToken()

    expect(mailedToken(kind)).toBe('secret')
    expect(openedByMailedLink()).toBe(true)
    expect(showsMailedLink()).toBe(true)
    expect(replaceState).toHaveBeenLastCalledWith({ reloaded: true }, '', left)

    vi.stubGlobal('location', { pathname: '/explore-one' })
    expect(openedByMailedLink()).toBe(true)
    expect(showsMailedLink()).toBe(false)
  },
)
