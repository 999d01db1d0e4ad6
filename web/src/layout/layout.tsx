import './layout.css'
import { type ReactNode, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { ConsentLayer } from '../consent/consent-layer.tsx'
import { StepUpLayer } from '../step-up/step-up-layer.tsx'
import { Spinner } from '../ui/state.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { BackToTop } from './back-to-top.tsx'
import { EmailReminder } from './email-reminder.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { useScrollAndFocus } from './use-scroll-and-focus.ts'

/** Everything around a page. `fallback` replaces a page that throws. */
export function Layout({ fallback }: { fallback: ReactNode }) {
  const { pathname } = useLocation()
  useScrollAndFocus()
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ConsentLayer />
      <Navigation />
      <EmailReminder />
      <main id="content" className="content" tabIndex={-1}>
        <ErrorBoundary at={pathname} fallback={fallback}>
          <Suspense fallback={<Spinner />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <BackToTop />
      <StepUpLayer />
      <ToastRegion />
    </>
  )
}
