import type { User } from '@nifty/testkit/users'
import { itemPath } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import type { Fixtures } from './fixtures.ts'

/** Every screen of the store once: the user, the path and the actions before the screenshot. */
export type Screen = {
  name: string
  path: string
  as?: User
  /** Without a stored cookie consent: the banner is open. */
  unasked?: boolean
  /** Statuses of error responses that the screen provokes. */
  expects?: number[]
  /** A screen of the office, whose start page has no path. */
  office?: boolean
  prepare?: (context: BrowserContext) => Promise<unknown>
  show?: (page: Page) => Promise<unknown>
}

export const waveAway = (page: Page) => page.getByRole('button', { name: 'Just looking' }).click()
export const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()

/** On phones the filters are in a sheet; wider pages show them. */
const refine = async (page: Page) => {
  const button = page.getByRole('button', { name: 'Sort and filter' })
  if (await button.isVisible()) await button.click()
}

export function screensOf({ works, orders, offers, gifts, series, ...people }: Fixtures): Screen[] {
  const { collector, creator, bidder, newUser, giver, recipient } = people
  const { forSale, notForSale, held, owned, own, offered } = works
  const settings = `/creator-profile-edit/${newUser.userId}`
  return [
    { name: 'home', path: '/' },
    { name: 'home-cookies', path: '/', unasked: true },
    { name: 'home-customize', path: '/', unasked: true, show: press('Customize') },
    { name: 'home-question', path: '/', show: press('Can I buy NFTs with my bank card?') },
    { name: 'account-menu', path: '/', as: collector, show: press('Account of') },
    { name: 'explore', path: '/explore-one' },
    { name: 'explore-filtered', path: '/explore-one?category=Cube&items=true' },
    { name: 'explore-empty', path: '/explore-one?items=auctions' },
    { name: 'explore-sheet', path: '/explore-one?color=teal', show: refine },
    { name: 'explore-similar', path: '/explore-one?search=Mosiac' },
    { name: 'explore-refined', path: '/explore-one?color=blue&orientation=portrait&minPrice=50&sort=price_asc' },
    { name: 'explore-nearest', path: '/explore-one?search=mosaic+zeppelin&maxPrice=900' },
    { name: 'wallet', path: '/wallet' },
    { name: 'creators', path: '/creators' },
    { name: 'contact', path: '/contact' },
    { name: 'exhibitions', path: '/exhibitions' },
    { name: 'series', path: `/exhibitions/${series}` },
    { name: 'exhibition-missing', path: '/exhibitions/no-such-one', expects: [404] },
    { name: 'gift', path: gifts.offered },
    { name: 'gift-to-accept', path: gifts.offered, as: collector },
    {
      name: 'gift-claimed',
      path: gifts.claimed,
      as: recipient,
      expects: [404],
      show: (page) => page.getByRole('heading', { level: 1, name: / is yours$/ }).waitFor(),
    },
    { name: 'gift-claimed-by-another', path: gifts.claimed, as: collector, expects: [404] },
    { name: 'gift-missing', path: '/gift#nonsense', expects: [404] },
    { name: 'sell', path: '/sell' },
    { name: 'sell-apply', path: '/sell', as: collector },
    { name: 'terms', path: '/terms' },
    { name: 'privacy', path: '/privacy' },
    { name: 'cookie-policy', path: '/cookiepolicy' },
    { name: 'login', path: '/login' },
    {
      name: 'login-refused',
      path: '/login',
      expects: [401],
      show: async (page) => {
        await page.getByRole('main').getByLabel('Email', { exact: true }).fill('nobody@people.example')
        await page.getByLabel('Password', { exact: true }).fill('not this one')
        await page.getByRole('button', { name: 'Login' }).click()
        await page.getByRole('alert').waitFor()
      },
    },
    { name: 'signup', path: '/signup' },
    { name: 'reset-pass', path: '/reset-pass' },
    { name: 'forgot-password', path: '/forgot-password' },
    { name: 'reset-password', path: '/reset-password/some-token' },
    { name: 'lock-screen', path: '/lock-screen', as: collector },
    { name: 'thank-you', path: '/thankyou' },
    { name: 'goodbye', path: '/goodbye' },
    { name: 'accept-refused', path: '/accept?token=not-a-token', expects: [400, 404, 410, 422] },
    { name: 'error', path: '/error' },
    { name: 'profile', path: `/creator-profile/${creator.username}`, as: collector },
    { name: 'profile-own', path: `/creator-profile/${creator.username}`, as: creator },
    { name: 'profile-empty', path: `/creator-profile/${newUser.username}`, as: newUser },
    { name: 'profile-cover', path: `/creator-profile/${collector.username}`, as: creator },
    { name: 'profile-missing', path: '/creator-profile/@nobody-here', as: collector, expects: [404] },
    { name: 'settings', path: settings, as: newUser },
    { name: 'settings-linked', path: `/creator-profile-edit/${collector.userId}`, as: collector },
    {
      name: 'settings-second-factor',
      path: settings,
      as: newUser,
      expects: [403],
      show: async (page) => {
        await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
        await page.getByLabel('Password', { exact: true }).fill(newUser.password)
        await page.getByRole('button', { name: 'Confirm' }).click()
        await page.getByRole('img', { name: /QR code/ }).waitFor()
      },
    },
    { name: 'settings-delete', path: settings, as: newUser, show: press('Delete account') },
    { name: 'item-please-log-in', path: itemPath(forSale) },
    { name: 'item-please-connect', path: itemPath(forSale), as: newUser },
    { name: 'item-visitor', path: itemPath(forSale), show: waveAway },
    {
      name: 'item-full-screen',
      path: itemPath(forSale),
      as: collector,
      show: press('View full screen'),
    },
    { name: 'item-buyer', path: itemPath(forSale), as: collector },
    {
      name: 'item-terms-accepted',
      path: itemPath(forSale),
      as: collector,
      show: (page) => page.getByRole('checkbox', { name: /I declare/ }).check(),
    },
    {
      name: 'item-gift',
      path: itemPath(forSale),
      as: collector,
      show: async (page) => {
        await page.getByRole('button', { name: 'Buy it as a gift' }).click()
        await page.getByLabel('E-mail address of the recipient').fill('friend@people.example')
      },
    },
    { name: 'item-not-for-sale', path: itemPath(notForSale), as: collector },
    { name: 'item-held', path: itemPath(held), show: waveAway },
    { name: 'item-owner', path: itemPath(owned), as: collector },
    { name: 'item-creator-for-sale', path: itemPath(own), as: creator },
    { name: 'item-creator-not-for-sale', path: itemPath(notForSale), as: creator },
    { name: 'item-takes-offers', path: itemPath(offered), as: bidder },
    { name: 'item-offer-form', path: itemPath(offered), as: bidder, show: press('Make an offer') },
    { name: 'item-own-offer', path: itemPath(offered), as: collector },
    {
      name: 'item-owner-offers',
      path: itemPath(offered),
      as: offers.owner,
      show: (page) => page.getByRole('button', { name: 'Decline ' }).waitFor(),
    },
    { name: 'item-owner-accept', path: itemPath(offered), as: offers.owner, show: press('Accept ') },
    { name: 'item-missing', path: '/item-detail/@nobody/0x0000000000000000000000000000000000000001/1', expects: [404] },
    { name: 'favourites', path: '/favourites', as: collector },
    { name: 'favourites-empty', path: '/favourites' },
    { name: 'orders', path: '/orders', as: collector },
    { name: 'orders-empty', path: '/orders', as: newUser },
    { name: 'orders-offers', path: '/orders?kind=offers', as: collector },
    { name: 'order-offer-held', path: `/orders/${offers.held}`, as: collector },
    { name: 'order-offer-accepted', path: `/orders/${offers.accepted}`, as: collector },
    { name: 'order-completed', path: `/orders/${orders.completed}`, as: collector },
    { name: 'order-released', path: `/orders/${orders.released}`, as: collector },
    { name: 'order-disputed', path: `/orders/${orders.disputed}`, as: collector },
    { name: 'order-gift', path: `/orders/${gifts.order}`, as: giver },
    { name: 'order-waiting', path: `/orders/${orders.waiting}`, as: creator },
    { name: 'order-missing', path: '/orders/00000000-0000-4000-8000-000000000000', as: collector, expects: [404] },
    { name: 'receipt', path: `/orders/${orders.completed}/receipt`, as: collector },
    { name: 'certificate', path: `/orders/${orders.completed}/certificate`, as: collector },
    {
      name: 'certificate-of-work',
      path: `/certificates/${own.contract}/${own.identifier}`,
      as: creator,
      show: (page) => page.getByText('SHA-256 of the original file').waitFor(),
    },
    { name: 'certificate-unopened', path: '/certificate' },
    { name: 'certificate-refused', path: '/certificate#nonsense', expects: [404] },
    { name: 'thanks', path: `/purchase-thanks?order=${orders.completed}`, as: collector },
    { name: 'thanks-gift', path: `/purchase-thanks?order=${gifts.order}`, as: giver },
    { name: 'thanks-released', path: `/purchase-thanks?order=${orders.released}`, as: collector },
    { name: 'thanks-stranger', path: '/purchase-thanks' },
    { name: 'studio', path: '/studio', as: creator },
    {
      name: 'studio-manage',
      path: '/studio',
      as: creator,
      show: (page) =>
        page
          .getByRole('button', { name: /^Manage / })
          .first()
          .click(),
    },
    { name: 'studio-closed', path: '/studio', as: newUser },
  ]
}
