import { pages } from '@nifty/api/pages'
import { matchPath } from 'react-router-dom'

/**
 * Kinds of mailed links: a new password, an address, a newsletter subscription, a freeze, mails to be switched off, a
 * gift.
 */
type Kind = 'reset' | 'token' | 'newsletter' | 'freeze' | 'unsubscribe' | 'gift'

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
  openedByLink = tokens.size > 0 || isAtCertificate()
  addEventListener('popstate', keepFromOthers)
}

/** Its secret stays in the address, as its reader reloads the page, keeps it and passes it on. */
const isAtCertificate = () => matchPath(pages.openedCertificate.path, location.pathname) !== null

/** Links with their token in the fragment. */
const fragmentKinds = ['freeze', 'unsubscribe', 'gift'] as const

const isAtLinkWithFragment = () =>
  location.hash.length > 1 && fragmentKinds.some((kind) => matchPath(pages[kind].path, location.pathname))

/**
 * Back leads to a certificate within a document that began at another page, if that one was reloaded: third-party
 * scripts may run there. A new document shows the certificate, before any of them hears of its address. So it is with a
 * link that is opened in a tab at its page already: only the fragment changes, which loads nothing.
 */
function keepFromOthers(event: Event) {
  if (!isAtLinkWithFragment() && (openedByLink || !isAtCertificate())) return
  event.stopImmediatePropagation()
  location.reload()
}

function readLink() {
  const { pathname, search, hash } = location
  link = pathname + search + hash
  const reset = matchPath(pages.resetPassword.path, pathname)?.params.token
  if (reset) {
    tokens.set('reset', reset)
    history.replaceState(history.state, '', pages.resetPassword.path.replace(':token', 'link'))
  }
  for (const kind of fragmentKinds) {
    if (!matchPath(pages[kind].path, pathname)) continue
    if (hash.length > 1) tokens.set(kind, hash.slice(1))
    history.replaceState(history.state, '', pages[kind].path)
  }
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
