import { parseUrl } from '@nifty/api/url'
import { useEffect } from 'react'
import { useConfig } from '../api/use-config.ts'

type DataLayerWindow = { dataLayer?: unknown[] }

/** The operator's tag manager and analytics scripts. Rendered only with the visitor's consent. */
export function ThirdPartyScripts() {
  const { tagManagerUrl, analyticsUrl } = useConfig()

  useEffect(() => {
    if (tagManagerUrl) {
      push({ 'gtm.start': Date.now(), event: 'gtm.js' })
      load(tagManagerUrl)
    }
  }, [tagManagerUrl])

  useEffect(() => {
    if (analyticsUrl) {
      command('js', new Date())
      const id = parseUrl(analyticsUrl, location.href)?.searchParams.get('id')
      if (id) command('config', id)
      load(analyticsUrl)
    }
  }, [analyticsUrl])

  return null
}

/** Adds a script once per page load, however often the component mounts. */
function load(src: string) {
  if (document.querySelector(`script[src="${CSS.escape(src)}"]`)) return
  const script = document.createElement('script')
  script.src = src
  script.async = true
  document.head.append(script)
}

function push(message: unknown) {
  const { dataLayer = [] } = window as DataLayerWindow
  ;(window as DataLayerWindow).dataLayer = dataLayer
  dataLayer.push(message)
}

/** gtag.js recognises a command by its being an arguments object. */
function command(...args: unknown[]) {
  push(Object.assign(args, { [Symbol.toStringTag]: 'Arguments' }))
}
