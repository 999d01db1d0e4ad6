import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import './consent-layer.css'
import { reopen, useConsent } from './consent-store.ts'

const CookieBanner = lazy(async () => ({ default: (await import('./banner/cookie-banner.tsx')).CookieBanner }))
const ThirdPartyScripts = lazy(async () => ({ default: (await import('./third-party-scripts.tsx')).ThirdPartyScripts }))

/** The question before it is answered, the way back to it afterwards, and what a yes brings in. */
export function ConsentLayer() {
  const { consent, reopened } = useConsent()
  const [comesBack, setComesBack] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const asks = !consent || reopened

  // Whoever opened the question from the button is put back there.
  useEffect(() => {
    if (asks || !comesBack) return
    button.current?.focus()
    setComesBack(false)
  }, [asks, comesBack])

  return (
    <>
      {asks ? (
        <Suspense>
          <CookieBanner />
        </Suspense>
      ) : (
        <button
          ref={button}
          type="button"
          className="cookie-button"
          onClick={() => {
            setComesBack(true)
            reopen()
          }}
        >
          <Icon name="gear" size={16} />
          <span className="cookie-button__label">Cookie Preferences</span>
        </button>
      )}
      {consent?.preferences.analytics && (
        <Suspense>
          <ThirdPartyScripts />
        </Suspense>
      )}
    </>
  )
}
