import { Suspense, useEffect, useRef, useState } from 'react'
import { openedByMailedLink } from '../api/mailed-token.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import './consent-layer.css'
import { reopenBanner, useConsent } from './consent-store.ts'

const CookieBanner = lazyComponent(() => import('./banner/cookie-banner.tsx'), 'CookieBanner')
const ThirdPartyScripts = lazyComponent(() => import('./third-party-scripts.tsx'), 'ThirdPartyScripts')

/** The cookie banner until a choice is made, the button that reopens it, and the scripts that the consent allows. */
export function ConsentLayer() {
  const { consent, reopened } = useConsent()
  const [returnFocus, setReturnFocus] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const bannerVisible = !consent || reopened

  // A banner that was opened from the button returns the focus to it.
  useEffect(() => {
    if (bannerVisible || !returnFocus) return
    button.current?.focus()
    setReturnFocus(false)
  }, [bannerVisible, returnFocus])

  return (
    <>
      {bannerVisible ? (
        <Suspense>
          <CookieBanner />
        </Suspense>
      ) : (
        <button
          ref={button}
          type="button"
          className="cookie-button"
          aria-label="Cookie Preferences"
          onClick={() => {
            setReturnFocus(true)
            reopenBanner()
          }}
        >
          <Icon name="gear" size={16} />
          <span className="cookie-button__label">Cookie Preferences</span>
        </button>
      )}
      {consent?.preferences.analytics && !openedByMailedLink() && (
        <Suspense>
          <ThirdPartyScripts />
        </Suspense>
      )}
    </>
  )
}
