import { type PageName, pages } from '@nifty/api/pages'
import { BrowserRouter, matchRoutes, Navigate, type RouteObject, useRoutes } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { type ApiError, request } from './api.ts'
import { Guarded } from './layout/guarded.tsx'
import { Layout } from './layout/layout.tsx'
import { PageTitle } from './layout/page-title.tsx'
import { type LazyPage, lazyPage } from './lazy-page.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { paths } from './paths.ts'

const home = lazyPage(() => import('./pages/home/home-page.tsx'), 'HomePage')

/** The component of each page. `/error` and unknown paths are the route `*` below. */
const components: Record<Exclude<PageName, 'itemRoot' | 'error'>, LazyPage> = {
  home,
  index: home,
  explore: lazyPage(() => import('./pages/explore/explore-page.tsx'), 'ExplorePage'),
  item: lazyPage(() => import('./pages/item/item-page.tsx'), 'ItemPage'),
  wallet: lazyPage(() => import('./pages/wallet/wallet-page.tsx'), 'WalletPage'),
  creators: lazyPage(() => import('./pages/creators/creators-page.tsx'), 'CreatorsPage'),
  contact: lazyPage(() => import('./pages/contact/contact-page.tsx'), 'ContactPage'),
  terms: lazyPage(() => import('./pages/legal/terms-page.tsx'), 'TermsPage'),
  privacy: lazyPage(() => import('./pages/legal/privacy-page.tsx'), 'PrivacyPage'),
  cookiePolicy: lazyPage(() => import('./pages/legal/cookie-policy-page.tsx'), 'CookiePolicyPage'),
  login: lazyPage(() => import('./pages/account/login-page.tsx'), 'LoginPage'),
  signup: lazyPage(() => import('./pages/account/signup-page.tsx'), 'SignupPage'),
  resetPass: lazyPage(() => import('./pages/account/reset-request-pages.tsx'), 'ResetPassPage'),
  forgotPassword: lazyPage(() => import('./pages/account/reset-request-pages.tsx'), 'ForgotPasswordPage'),
  resetPassword: lazyPage(() => import('./pages/account/reset-password-page.tsx'), 'ResetPasswordPage'),
  lockScreen: lazyPage(() => import('./pages/account/lock-screen-page.tsx'), 'LockScreenPage'),
  thankYou: lazyPage(() => import('./pages/account/thank-you-page.tsx'), 'ThankYouPage'),
  accept: lazyPage(() => import('./pages/account/accept-page.tsx'), 'AcceptPage'),
  freeze: lazyPage(() => import('./pages/account/freeze-page.tsx'), 'FreezePage'),
  goodbye: lazyPage(() => import('./pages/account/goodbye-page.tsx'), 'GoodbyePage'),
  creatorProfile: lazyPage(() => import('./pages/creator-profile/creator-profile-page.tsx'), 'CreatorProfilePage'),
  settings: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  purchaseThanks: lazyPage(() => import('./pages/orders/purchase-thanks-page.tsx'), 'PurchaseThanksPage'),
  orders: lazyPage(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage'),
  order: lazyPage(() => import('./pages/orders/order-page.tsx'), 'OrderPage'),
  receipt: lazyPage(() => import('./pages/orders/receipt-page.tsx'), 'ReceiptPage'),
  certificate: lazyPage(() => import('./pages/orders/certificate-page.tsx'), 'CertificatePage'),
  studio: lazyPage(() => import('./pages/studio/studio-page.tsx'), 'StudioPage'),
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
  return { path: page.path, element: page.guarded ? <Guarded>{element}</Guarded> : element, handle: Page.load }
})

const routes: RouteObject[] = [
  {
    element: <Layout fallback={<ErrorPage />} />,
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
}

export const App = () => (
  <SWRConfig value={swr}>
    <BrowserRouter>
      <Routes />
    </BrowserRouter>
  </SWRConfig>
)

const Routes = () => useRoutes(routes)
