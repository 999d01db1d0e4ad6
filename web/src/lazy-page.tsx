import { type ComponentType, lazy, useState } from 'react'

/** A page that comes with its own code. After `load` it is shown at once, before that as soon as it is there. */
export type Page = ComponentType & { load: () => Promise<void> }

/** `page(() => import('./pages/legal/terms-page.tsx'), 'TermsPage')`. */
export function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): Page {
  let loaded: ComponentType | undefined
  const Lazy = lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }))
  function Shown() {
    // What a page began with stays, so that nothing typed is lost.
    const [Begun] = useState<ComponentType | typeof Lazy>(() => loaded ?? Lazy)
    return <Begun />
  }
  return Object.assign(Shown, {
    load: async () => {
      loaded = (await load())[name]
    },
  })
}
