import { BrowserRouter, matchRoutes, Navigate, type RouteObject, useRoutes } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { type ApiError, request } from './api.ts'
import { Guarded } from './layout/guarded.tsx'
import { Layout } from './layout/layout.tsx'
import { type Page, page } from './lazy-page.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { paths } from './paths.ts'

const HomePage = page(() => import('./pages/home/home-page.tsx'), 'HomePage')
const ExplorePage = page(() => import('./pages/explore/explore-page.tsx'), 'ExplorePage')
const ItemPage = page(() => import('./pages/item/item-page.tsx'), 'ItemPage')
const LoginPage = page(() => import('./pages/account/login-page.tsx'), 'LoginPage')
const SignupPage = page(() => import('./pages/account/signup-page.tsx'), 'SignupPage')
const LockScreenPage = page(() => import('./pages/account/lock-screen-page.tsx'), 'LockScreenPage')
const SettingsPage = page(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage')
const PurchaseThanksPage = page(() => import('./pages/orders/purchase-thanks-page.tsx'), 'PurchaseThanksPage')
const WalletPage = page(() => import('./pages/wallet/wallet-page.tsx'), 'WalletPage')
const CreatorsPage = page(() => import('./pages/creators/creators-page.tsx'), 'CreatorsPage')
const CreatorProfilePage = page(() => import('./pages/creator-profile/creator-profile-page.tsx'), 'CreatorProfilePage')
const ContactPage = page(() => import('./pages/contact/contact-page.tsx'), 'ContactPage')
const TermsPage = page(() => import('./pages/legal/terms-page.tsx'), 'TermsPage')
const PrivacyPage = page(() => import('./pages/legal/privacy-page.tsx'), 'PrivacyPage')
const CookiePolicyPage = page(() => import('./pages/legal/cookie-policy-page.tsx'), 'CookiePolicyPage')
const ResetPassPage = page(() => import('./pages/account/reset-request-pages.tsx'), 'ResetPassPage')
const ForgotPasswordPage = page(() => import('./pages/account/reset-request-pages.tsx'), 'ForgotPasswordPage')
const ResetPasswordPage = page(() => import('./pages/account/reset-password-page.tsx'), 'ResetPasswordPage')
const ThankYouPage = page(() => import('./pages/account/thank-you-page.tsx'), 'ThankYouPage')
const AcceptPage = page(() => import('./pages/account/accept-page.tsx'), 'AcceptPage')
const GoodbyePage = page(() => import('./pages/account/goodbye-page.tsx'), 'GoodbyePage')
const OrdersPage = page(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage')
const OrderPage = page(() => import('./pages/orders/order-page.tsx'), 'OrderPage')
const ReceiptPage = page(() => import('./pages/orders/receipt-page.tsx'), 'ReceiptPage')
const CertificatePage = page(() => import('./pages/orders/certificate-page.tsx'), 'CertificatePage')
const StudioPage = page(() => import('./pages/studio/studio-page.tsx'), 'StudioPage')

const at = (path: string, Shown: Page): RouteObject => ({ path, element: <Shown />, handle: Shown.load })

const open = [
  at(paths.home, HomePage),
  at(paths.index, HomePage),
  at(paths.explore, ExplorePage),
  { path: paths.itemRoot, element: <Navigate to={paths.explore} replace /> },
  at(paths.item, ItemPage),
  at(paths.login, LoginPage),
  at(paths.signup, SignupPage),
  at(paths.lockScreen, LockScreenPage),
  at(paths.purchaseThanks, PurchaseThanksPage),
  at(paths.wallet, WalletPage),
  at(paths.creators, CreatorsPage),
  at(paths.contact, ContactPage),
  at(paths.terms, TermsPage),
  at(paths.privacy, PrivacyPage),
  at(paths.cookiePolicy, CookiePolicyPage),
  at(paths.resetPass, ResetPassPage),
  at(paths.forgotPassword, ForgotPasswordPage),
  at(paths.resetPassword, ResetPasswordPage),
  at(paths.thankYou, ThankYouPage),
  at(paths.accept, AcceptPage),
  at(paths.goodbye, GoodbyePage),
]

/** Only for who is logged in. */
const guarded = [
  at(paths.creatorProfile, CreatorProfilePage),
  at(paths.orders, OrdersPage),
  at(paths.order, OrderPage),
  at(paths.receipt, ReceiptPage),
  at(paths.certificate, CertificatePage),
  at(paths.studio, StudioPage),
  at(paths.settings, SettingsPage),
]

const routes: RouteObject[] = [
  {
    element: <Layout fallback={<ErrorPage />} />,
    children: [...open, { element: <Guarded />, children: guarded }, { path: '*', element: <ErrorPage /> }],
  },
]

/** Brings the code of the page at an address, so that the first thing seen is the page and not a frame around nothing. */
export const loadPageAt = (address: string) =>
  Promise.all((matchRoutes(routes, address) ?? []).map(({ route }) => route.handle?.()))

const swr = {
  fetcher: request,
  // What was refused stays refused; only a store that did not answer is asked again.
  shouldRetryOnError: ({ status }: ApiError) => status === 0 || status >= 500,
  errorRetryCount: 5,
}

export const App = () => (
  <SWRConfig value={swr}>
    <BrowserRouter>
      <Shown />
    </BrowserRouter>
  </SWRConfig>
)

const Shown = () => useRoutes(routes)
