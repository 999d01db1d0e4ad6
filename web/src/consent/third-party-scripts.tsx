import { useEffect } from 'react'
import { useConfig } from '../use-config.ts'

type Measured = { dataLayer?: unknown[] }

/** The tag manager and the analytics of the operator, there only where the visitor said yes. */
export function ThirdPartyScripts() {
  const { tagManagerUrl, analyticsUrl } = useConfig()

  useEffect(() => {
    if (tagManagerUrl) {
      tell({ 'gtm.start': Date.now(), event: 'gtm.js' })
      load(tagManagerUrl)
    }
  }, [tagManagerUrl])

  useEffect(() => {
    if (analyticsUrl) {
      command('js', new Date())
      const id = URL.parse(analyticsUrl, location.href)?.searchParams.get('id')
      if (id) command('config', id)
      load(analyticsUrl)
    }
  }, [analyticsUrl])

  return null
}

/** Once per page, whatever is mounted again. */
function load(src: string) {
  if (document.querySelector(`script[src="${CSS.escape(src)}"]`)) return
  const script = document.createElement('script')
  script.src = src
  script.async = true
  document.head.append(script)
}

function tell(message: unknown) {
  const { dataLayer = [] } = window as Measured
  ;(window as Measured).dataLayer = dataLayer
  dataLayer.push(message)
}

/** The provider tells a command from a message by its being an arguments object. */
function command(...words: unknown[]) {
  tell(Object.assign(words, { [Symbol.toStringTag]: 'Arguments' }))
}
