import './frame.css'
import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { ConsentLayer } from '../consent/consent-layer.tsx'
import { ErrorPage } from '../pages/error-page.tsx'
import { Spinner } from '../ui/state.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { BackToTop } from './back-to-top.tsx'
import { EmailReminder } from './email-reminder.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { useArrival } from './use-arrival.ts'

/** What surrounds every page. */
export function Frame() {
  const { pathname } = useLocation()
  useArrival()
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ConsentLayer />
      <Navigation />
      <EmailReminder />
      <main id="content" className="content" tabIndex={-1}>
        <ErrorBoundary at={pathname} fallback={<ErrorPage />}>
          <Suspense fallback={<Spinner />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <BackToTop />
      <ToastRegion />
    </>
  )
}
