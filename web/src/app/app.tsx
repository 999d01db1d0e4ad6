import { type PageName, pages } from '@nifty/api/pages'
import { useEffect } from 'react'
import { BrowserRouter, matchRoutes, Navigate, type RouteObject, useRoutes } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { type ApiError, request } from '../api/api.ts'
import { paths } from '../api/paths.ts'
import { preloaded } from '../api/preloaded.ts'
import { useAccountKey } from '../api/session.ts'
import { Guarded } from '../layout/guarded.tsx'
import { Layout } from '../layout/layout.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { ErrorPage } from '../pages/error-page.tsx'
import { type LazyComponent, lazyComponent } from '../ui/lazy-component.tsx'
import type { StartedDocument } from './start.ts'

const home = lazyComponent(() => import('../pages/home/home-page.tsx'), 'HomePage')

/** The component of each page. `/error` and unknown paths are the route `*` below. */
const components: Record<Exclude<PageName, 'itemRoot' | 'error'>, LazyComponent> = {
  home,
  index: home,
  explore: lazyComponent(() => import('../pages/explore/explore-page.tsx'), 'ExplorePage'),
  item: lazyComponent(() => import('../pages/item/item-page.tsx'), 'ItemPage'),
  wallet: lazyComponent(() => import('../pages/wallet/wallet-page.tsx'), 'WalletPage'),
  creators: lazyComponent(() => import('../pages/creators/creators-page.tsx'), 'CreatorsPage'),
  exhibitions: lazyComponent(() => import('../pages/exhibitions/exhibitions-page.tsx'), 'ExhibitionsPage'),
  exhibition: lazyComponent(() => import('../pages/exhibitions/exhibition-page.tsx'), 'ExhibitionPage'),
  contact: lazyComponent(() => import('../pages/contact/contact-page.tsx'), 'ContactPage'),
  sell: lazyComponent(() => import('../pages/sell/sell-page.tsx'), 'SellPage'),
  terms: lazyComponent(() => import('../pages/legal/terms-page.tsx'), 'TermsPage'),
  privacy: lazyComponent(() => import('../pages/legal/privacy-page.tsx'), 'PrivacyPage'),
  cookiePolicy: lazyComponent(() => import('../pages/legal/cookie-policy-page.tsx'), 'CookiePolicyPage'),
  login: lazyComponent(() => import('../pages/account/login-page.tsx'), 'LoginPage'),
  signup: lazyComponent(() => import('../pages/account/signup-page.tsx'), 'SignupPage'),
  resetPass: lazyComponent(() => import('../pages/account/reset-request-pages.tsx'), 'ResetPassPage'),
  forgotPassword: lazyComponent(() => import('../pages/account/reset-request-pages.tsx'), 'ForgotPasswordPage'),
  resetPassword: lazyComponent(() => import('../pages/account/reset-password-page.tsx'), 'ResetPasswordPage'),
  lockScreen: lazyComponent(() => import('../pages/account/lock-screen-page.tsx'), 'LockScreenPage'),
  thankYou: lazyComponent(() => import('../pages/account/thank-you-page.tsx'), 'ThankYouPage'),
  accept: lazyComponent(() => import('../pages/account/accept-page.tsx'), 'AcceptPage'),
  freeze: lazyComponent(() => import('../pages/account/freeze-page.tsx'), 'FreezePage'),
  unsubscribe: lazyComponent(() => import('../pages/account/unsubscribe-page.tsx'), 'UnsubscribePage'),
  openedCertificate: lazyComponent(
    () => import('../pages/certificate/opened-certificate-page.tsx'),
    'OpenedCertificatePage',
  ),
  gift: lazyComponent(() => import('../pages/gift/gift-page.tsx'), 'GiftPage'),
  goodbye: lazyComponent(() => import('../pages/account/goodbye-page.tsx'), 'GoodbyePage'),
  creatorProfile: lazyComponent(
    () => import('../pages/creator-profile/creator-profile-page.tsx'),
    'CreatorProfilePage',
  ),
  settings: lazyComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  purchaseThanks: lazyComponent(() => import('../pages/orders/purchase-thanks-page.tsx'), 'PurchaseThanksPage'),
  favourites: lazyComponent(() => import('../pages/favourites/favourites-page.tsx'), 'FavouritesPage'),
  orders: lazyComponent(() => import('../pages/orders/orders-page.tsx'), 'OrdersPage'),
  order: lazyComponent(() => import('../pages/orders/order-page.tsx'), 'OrderPage'),
  receipt: lazyComponent(() => import('../pages/orders/receipt-page.tsx'), 'ReceiptPage'),
  certificate: lazyComponent(() => import('../pages/orders/certificate-page.tsx'), 'CertificatePage'),
  workCertificate: lazyComponent(() => import('../pages/certificate/work-certificate-page.tsx'), 'WorkCertificatePage'),
  studio: lazyComponent(() => import('../pages/studio/studio-page.tsx'), 'StudioPage'),
}

const pageRoutes = (Object.keys(components) as (keyof typeof components)[]).map((name): RouteObject => {
  const Page = components[name]
  const page: { path: string; title?: string; guarded?: boolean } = pages[name]
  const element = (
    <>
      {page.title && <PageTitle>{page.title}</PageTitle>}
      <Page />
    </>
  )
  return {
    path: page.path,
    element: page.guarded ? <Guarded title={page.title ?? ''}>{element}</Guarded> : element,
    handle: Page.load,
  }
})

const routes: RouteObject[] = [
  {
    element: <Layout fallback={<ErrorPage canReload />} />,
    children: [
      ...pageRoutes,
      { path: paths.itemRoot, element: <Navigate to={paths.explore} replace /> },
      { path: '*', element: <ErrorPage /> },
    ],
  },
]

/** Loads the code of the page at a path, so that the first render shows the page and not an empty layout. */
export const loadPageAt = (path: string) =>
  Promise.all((matchRoutes(routes, path) ?? []).map(({ route }) => route.handle?.()))

const swr = {
  fetcher: request,
  // A 4xx is final; only network errors and 5xx are retried.
  shouldRetryOnError: ({ status }: ApiError) => status === 0 || status >= 500,
  errorRetryCount: 5,
  provider: preloaded.cache,
}

/** Remounts with an empty cache and empty forms when another tab has changed the account. */
export function App() {
  useEffect(() => (window as StartedDocument).replayEarlyInput?.(), [])
  return (
    <SWRConfig key={useAccountKey()} value={swr}>
      <BrowserRouter>
        <Routes />
      </BrowserRouter>
    </SWRConfig>
  )
}

const Routes = () => useRoutes(routes)
