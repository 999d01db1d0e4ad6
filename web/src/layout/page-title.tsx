import { documentTitle } from '@nifty/api/pages'
import { useLayoutEffect } from 'react'
import { storeName } from '../api/store-name.ts'

/**
 * Sets the document's title while mounted. The route renders it with the page's fixed title; a page whose title depends
 * on data renders another one.
 */
export function PageTitle({ children }: { children: string }) {
  useLayoutEffect(() => {
    const before = document.title
    document.title = documentTitle(children, storeName)
    return () => {
      document.title = before
    }
  }, [children])
  return null
}
