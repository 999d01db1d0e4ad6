import { type ComponentType, lazy } from 'react'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { type ApiError, request } from './api.ts'
import { Frame } from './frame/frame.tsx'
import { Guarded } from './frame/guarded.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { paths } from './paths.ts'

/** A page loads with its own code: `page(() => import('./pages/terms-page.tsx'), 'TermsPage')`. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }))
}

const HomePage = page(() => import('./pages/home-page.tsx'), 'HomePage')
const ExplorePage = page(() => import('./pages/explore-page.tsx'), 'ExplorePage')
const ItemPage = page(() => import('./pages/item-page.tsx'), 'ItemPage')
const LoginPage = page(() => import('./pages/login-page.tsx'), 'LoginPage')
const SignupPage = page(() => import('./pages/signup-page.tsx'), 'SignupPage')
const LockScreenPage = page(() => import('./pages/lock-screen-page.tsx'), 'LockScreenPage')
const SettingsPage = page(() => import('./pages/settings-page.tsx'), 'SettingsPage')
const PurchaseThanksPage = page(() => import('./pages/purchase-thanks-page.tsx'), 'PurchaseThanksPage')
const WalletPage = page(() => import('./pages/wallet-page.tsx'), 'WalletPage')
const CreatorsPage = page(() => import('./pages/creators-page.tsx'), 'CreatorsPage')
const CreatorProfilePage = page(() => import('./pages/creator-profile-page.tsx'), 'CreatorProfilePage')
const ContactPage = page(() => import('./pages/contact-page.tsx'), 'ContactPage')
const TermsPage = page(() => import('./pages/terms-page.tsx'), 'TermsPage')
const PrivacyPage = page(() => import('./pages/privacy-page.tsx'), 'PrivacyPage')
const CookiePolicyPage = page(() => import('./pages/cookie-policy-page.tsx'), 'CookiePolicyPage')
const ResetPassPage = page(() => import('./pages/reset-pass-page.tsx'), 'ResetPassPage')
const ForgotPasswordPage = page(() => import('./pages/forgot-password-page.tsx'), 'ForgotPasswordPage')
const ResetPasswordPage = page(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage')
const ThankYouPage = page(() => import('./pages/thank-you-page.tsx'), 'ThankYouPage')
const AcceptPage = page(() => import('./pages/accept-page.tsx'), 'AcceptPage')
const GoodbyePage = page(() => import('./pages/goodbye-page.tsx'), 'GoodbyePage')
const OrdersPage = page(() => import('./pages/orders-page.tsx'), 'OrdersPage')
const OrderPage = page(() => import('./pages/order-page.tsx'), 'OrderPage')
const ReceiptPage = page(() => import('./pages/receipt-page.tsx'), 'ReceiptPage')
const CertificatePage = page(() => import('./pages/certificate-page.tsx'), 'CertificatePage')
const StudioPage = page(() => import('./pages/studio-page.tsx'), 'StudioPage')

const swr = {
  fetcher: request,
  // What was refused stays refused; only a store that did not answer is asked again.
  shouldRetryOnError: ({ status }: ApiError) => status === 0 || status >= 500,
  errorRetryCount: 5,
}

export function App() {
  return (
    <SWRConfig value={swr}>
      <BrowserRouter>
        <Routes>
          <Route element={<Frame />}>
            <Route path={paths.home} element={<HomePage />} />
            <Route path={paths.index} element={<HomePage />} />
            <Route path={paths.explore} element={<ExplorePage />} />
            <Route path={paths.itemRoot} element={<Navigate to={paths.explore} replace />} />
            <Route path={paths.item} element={<ItemPage />} />
            <Route path={paths.login} element={<LoginPage />} />
            <Route path={paths.signup} element={<SignupPage />} />
            <Route path={paths.lockScreen} element={<LockScreenPage />} />
            <Route path={paths.purchaseThanks} element={<PurchaseThanksPage />} />
            <Route path={paths.wallet} element={<WalletPage />} />
            <Route path={paths.creators} element={<CreatorsPage />} />
            <Route path={paths.contact} element={<ContactPage />} />
            <Route path={paths.terms} element={<TermsPage />} />
            <Route path={paths.privacy} element={<PrivacyPage />} />
            <Route path={paths.cookiePolicy} element={<CookiePolicyPage />} />
            <Route path={paths.resetPass} element={<ResetPassPage />} />
            <Route path={paths.forgotPassword} element={<ForgotPasswordPage />} />
            <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
            <Route path={paths.thankYou} element={<ThankYouPage />} />
            <Route path={paths.accept} element={<AcceptPage />} />
            <Route path={paths.goodbye} element={<GoodbyePage />} />
            <Route element={<Guarded />}>
              <Route path={paths.creatorProfile} element={<CreatorProfilePage />} />
              <Route path={paths.orders} element={<OrdersPage />} />
              <Route path={paths.order} element={<OrderPage />} />
              <Route path={paths.receipt} element={<ReceiptPage />} />
              <Route path={paths.certificate} element={<CertificatePage />} />
              <Route path={paths.studio} element={<StudioPage />} />
              <Route path={paths.settings} element={<SettingsPage />} />
            </Route>
            <Route path="*" element={<ErrorPage />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SWRConfig>
  )
}
