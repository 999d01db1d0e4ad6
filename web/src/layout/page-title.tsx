import { useLayoutEffect } from 'react'

/** The document's title. A page has exactly one. */
export function PageTitle({ children }: { children: string }) {
  useLayoutEffect(() => {
    document.title = `${children} | Nifty`
  }, [children])
  return null
}
