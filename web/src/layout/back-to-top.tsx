import './back-to-top.css'
import { Icon } from '../ui/icon.tsx'
import { useScrolledPast } from './use-scrolled-past.ts'

export function BackToTop() {
  const far = useScrolledPast(500)
  if (!far) return null
  return (
    <button
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
