import './cookie-banner.css'
import { Suspense, useEffect, useRef, useState } from 'react'
import { paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Status } from '../consent.ts'
import { closeBanner, useConsent } from '../consent-store.ts'
import { saveConsent } from './save-consent.ts'

const CustomizeDialog = lazyComponent(() => import('../customize-dialog.tsx'), 'CustomizeDialog')

/**
 * A non-modal banner: the page behind stays usable, and nothing on it moves. It is no `<dialog open>`: while one that
 * was opened later is in the page, Chromium does not close a modal dialog on Escape.
 */
export function CookieBanner() {
  const { consent, reopened } = useConsent()
  const [customizing, setCustomizing] = useState<boolean>()
  const banner = useRef<HTMLElement>(null)

  useEffect(() => {
    if (reopened) banner.current?.focus()
  }, [reopened])

  // After a first choice the focus goes to the page's heading. A reopened banner returns it to its button
  // (consent-layer.tsx).
  const focusPage = () => {
    if (reopened) return
    // After the modal dialog has closed: until then the page cannot take the focus.
    setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }))
  }
  // Loaded before it is rendered: a failure must not take the banner away.
  const customize = () =>
    CustomizeDialog.load().then(
      () => setCustomizing(true),
      () => toast.error('The choices could not be loaded. Please try again.'),
    )
  const choose = (status: Status) => {
    saveConsent(status)
    focusPage()
  }

  return (
    <>
      <section
        role="dialog"
        ref={banner}
        className="cookie-banner"
        aria-label="Cookies"
        tabIndex={-1}
        onKeyDown={(event) => event.key === 'Escape' && consent && !customizing && closeBanner()}
      >
        <p className="cookie-banner__text">
          We use cookies that the store needs to work. With your consent we also use cookies for statistics and
          marketing. <Link to={paths.cookiePolicy}>Cookie Declaration</Link>
        </p>
        <div className="cookie-banner__choices">
          <Button variant="secondary" onClick={() => choose('all')}>
            Accept All
          </Button>
          <Button variant="secondary" onClick={() => choose('necessary')}>
            Reject All
          </Button>
          <Button variant="text" className="cookie-banner__customize" onClick={() => void customize()}>
            Customize
          </Button>
        </div>
      </section>
      {customizing !== undefined && (
        <Suspense>
          <CustomizeDialog open={customizing} onClose={() => setCustomizing(false)} onSaved={focusPage} />
        </Suspense>
      )}
    </>
  )
}
