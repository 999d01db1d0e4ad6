import { type ComponentType, lazy, useState } from 'react'

/** A page in a chunk of its own. It renders synchronously after `load`, and suspends before. */
export type LazyPage = ComponentType & { load: () => Promise<void> }

/** `lazyPage(() => import('./pages/legal/terms-page.tsx'), 'TermsPage')`. */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): LazyPage {
  let loaded: ComponentType | undefined
  const Lazy = lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }))
  function Page() {
    // The component of the first render stays: another type would remount the page and lose form input.
    const [Component] = useState<ComponentType | typeof Lazy>(() => loaded ?? Lazy)
    return <Component />
  }
  return Object.assign(Page, {
    load: async () => {
      loaded = (await load())[name]
    },
  })
}
