import './back-to-top.css'
import { useLayoutEffect, useRef } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useScrolledPast } from './use-scrolled-past.ts'

export function BackToTop() {
  const far = useScrolledPast(500)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const wordmark = document.querySelector('.navigation .wordmark')
    if (far && wordmark) button.current!.style.setProperty('--wordmark', `${wordmark.clientWidth}px`)
  }, [far])
  if (!far) return null
  return (
    <button
      ref={button}
      type="button"
      className="back-to-top"
      aria-label="Back to top"
      title="Back to top"
      onClick={() =>
        window.scrollTo({
          top: 0,
          behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
        })
      }
    >
      <Icon name="up" />
    </button>
  )
}
