import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.tsx'

type Props = {
  /** Path of the page. */
  path: string
  title: string
}

/** Opens the device's share sheet; where there is none, copies the link. */
export function ShareButton({ path, title }: Props) {
  const share = async () => {
    const url = new URL(path, location.origin).href
    try {
      if (navigator.share) return await navigator.share({ title, url })
    } catch (error) {
      // Closed without a choice. Anything else: the browser refused, and the link is copied.
      if ((error as Error).name === 'AbortError') return
    }
    try {
      await navigator.clipboard.writeText(url)
      toast.success('Link copied')
    } catch {
      toast.error(`The browser does not allow copying. The link is ${url}`)
    }
  }

  return (
    <Button variant="secondary" onClick={() => void share()} aria-label={`Share ${title}`}>
      Share <Icon name="out" size={18} />
    </Button>
  )
}
