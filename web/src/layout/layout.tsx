import './layout.css'
import { type ReactNode, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useCurrentUser } from '../account/use-current-user.ts'
import { ConsentLayer } from '../consent/consent-layer.tsx'
import { StepUpLayer } from '../step-up/step-up-layer.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Spinner } from '../ui/state.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { isAccountPage } from './account-pages.ts'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useScrollAndFocus } from './use-scroll-and-focus.ts'

// Not in the entry chunk: it is below the fold of every page, as is where the button back to the top shows.
const Footer = lazyComponent(() => import('./footer.tsx'), 'Footer')
// Not in the entry chunk: only accounts with an unconfirmed address see it.
const EmailReminder = lazyComponent(() => import('./email-reminder.tsx'), 'EmailReminder')

/** Everything around a page. `fallback` replaces a page that throws. */
export function Layout({ fallback }: { fallback: ReactNode }) {
  const { pathname, key } = useLocation()
  const { user } = useCurrentUser()
  useScrollAndFocus()
  useKeptFocus()
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ErrorBoundary at={key} fallback={null}>
        <ConsentLayer />
      </ErrorBoundary>
      <Navigation />
      <OfflineNotice />
      {user && !user.emailConfirmed && (
        <LazyPart at={key}>
          <EmailReminder />
        </LazyPart>
      )}
      <main id="content" className="content" tabIndex={-1}>
        <ErrorBoundary at={key} fallback={fallback}>
          <Suspense fallback={<Spinner />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <LazyPart at={key}>
        <Footer short={isAccountPage(pathname)} />
      </LazyPart>
      <ErrorBoundary at={key} fallback={null}>
        <StepUpLayer />
      </ErrorBoundary>
      <ToastRegion />
    </>
  )
}
