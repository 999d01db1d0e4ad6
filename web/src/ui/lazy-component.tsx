import { type ComponentType, lazy, useLayoutEffect, useState } from 'react'
import { loadCode, onRetry } from './load-code.ts'

/** A component in a chunk of its own. It renders synchronously after `load`, and suspends before. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> & { load: () => Promise<void> }

/** With a module and the name of a component that it exports, as in `app.tsx`. */
export function lazyComponent<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  const createLazy = () =>
    lazy(async (): Promise<{ default: ComponentType<Props> }> => {
      try {
        return { default: (await loadCode(load))[name] }
      } catch (error) {
        // React keeps the result of a load: without another component this one would fail until the tab is reloaded.
        onRetry(() => {
          Lazy = createLazy()
        })
        return { default: throwing(error) }
      }
    })
  let Lazy = createLazy()
  function Loaded(props: Props) {
    // The component of the first render stays: another type would remount the page and lose form input.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? (Lazy as unknown as ComponentType<Props>))
    return <Component {...props} />
  }
  return Object.assign(Loaded, {
    load: async () => {
      loaded = (await loadCode(load))[name]
    },
  })
}

/**
 * Throws to the error boundary once it is on the page. While it is rendered it must not: if another component suspends
 * in the same rendering, React reports what the boundary has caught as an error that it recovered from (#520).
 */
const throwing = (error: unknown) =>
  function FailedToLoad() {
    useLayoutEffect(() => {
      throw error
    })
    return null
  }
