import { pages } from '@nifty/api/pages'
import { matchPath } from 'react-router-dom'

/**
 * Kinds of mailed links: a new password, an address, a newsletter subscription, a freeze, mails to be switched off, a
 * gift. The link of a certificate is printed and passed on.
 */
type Kind = 'reset' | 'token' | 'newsletter' | 'freeze' | 'unsubscribe' | 'gift' | 'certificate'

const tokens = new Map<Kind, string>()
/** The link that has the tokens, without the origin. */
let link = ''
let openedByLink = false

/**
 * Takes the token of a mailed link out of the address and keeps it in memory. Called before anything else runs, so that
 * no other script, no request and no entry of the history has it. The state of the entry stays: `loadCode` keeps there
 * that it has reloaded the page.
 */
export function takeMailedToken() {
  readLink()
  openedByLink = tokens.size > 0
}

function readLink() {
  const { pathname, search, hash } = location
  link = pathname + search + hash
  const reset = matchPath(pages.resetPassword.path, pathname)?.params.token
  if (reset) {
    tokens.set('reset', reset)
    history.replaceState(history.state, '', pages.resetPassword.path.replace(':token', 'link'))
  }
  for (const kind of ['freeze', 'unsubscribe', 'gift'] as const) {
    if (!matchPath(pages[kind].path, pathname)) continue
    if (hash.length > 1) tokens.set(kind, hash.slice(1))
    history.replaceState(history.state, '', pages[kind].path)
  }
  // Its reader reloads it, keeps it and passes it on: it stays in the address. No third-party script runs beside it.
  if (matchPath(pages.openedCertificate.path, pathname) && hash.length > 1) tokens.set('certificate', hash.slice(1))
  if (!matchPath(pages.accept.path, pathname)) return
  const query = new URLSearchParams(search)
  for (const kind of ['token', 'newsletter'] as const) {
    const token = query.get(kind)
    if (token) tokens.set(kind, token)
  }
  history.replaceState(history.state, '', pages.accept.path)
}

export const mailedToken = (kind: Kind) => tokens.get(kind)

/** Once the link has done what it is for, or never will. */
export const forgetMailedToken = (kind: Kind) => tokens.delete(kind)

const targets = [pages.resetPassword, pages.freeze, pages.unsubscribe, pages.gift, pages.accept]

/** Reloads the page; that of a mailed link with its token, which the new document takes out of the address again. */
export function reloadPage() {
  const showsLink = openedByLink && targets.some(({ path }) => matchPath(path, location.pathname))
  if (showsLink) history.replaceState(history.state, '', link)
  location.reload()
}

/** True until the document is left: the browser's list of loaded addresses still has the token. */
export const openedByMailedLink = () => openedByLink
