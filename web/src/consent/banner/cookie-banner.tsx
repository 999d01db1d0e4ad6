import './cookie-banner.css'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import type { Status } from '../consent.ts'
import { closeAgain, useConsent } from '../consent-store.ts'
import { choose } from './save-consent.ts'

const CustomizeDialog = lazy(async () => ({ default: (await import('../customize-dialog.tsx')).CustomizeDialog }))

/** Asks without standing in the way: the page behind can be read and used, nothing on it moves. */
export function CookieBanner() {
  const { consent, reopened } = useConsent()
  const [customizing, setCustomizing] = useState<boolean>()
  const banner = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    if (reopened) banner.current?.focus()
  }, [reopened])

  // Whoever answered stands at the page's beginning again; whoever came from the button is put back there.
  const leave = () => {
    if (reopened) return
    // After the dialog has gone: until then the page behind takes no focus.
    setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }))
  }
  const answer = (status: Status) => {
    choose(status)
    leave()
  }

  return (
    <>
      <dialog
        open
        ref={banner}
        className="cookie-banner"
        aria-label="Cookies"
        tabIndex={-1}
        onKeyDown={(event) => event.key === 'Escape' && consent && !customizing && closeAgain()}
      >
        <p className="cookie-banner__text">
          We keep the cookies that the store cannot work without. With your consent we also use some for statistics and
          marketing. <Link to={paths.cookiePolicy}>Cookie Declaration</Link>
        </p>
        <div className="cookie-banner__choices">
          <Button look="plain" onClick={() => answer('all')}>
            Accept All
          </Button>
          <Button look="plain" onClick={() => answer('necessary')}>
            Reject All
          </Button>
          <Button look="quiet" className="cookie-banner__customize" onClick={() => setCustomizing(true)}>
            Customize
          </Button>
        </div>
      </dialog>
      {customizing !== undefined && (
        <Suspense>
          <CustomizeDialog open={customizing} onClose={() => setCustomizing(false)} onChosen={leave} />
        </Suspense>
      )}
    </>
  )
}
