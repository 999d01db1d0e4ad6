import type { Plugin } from 'vite'

/**
 * Lets the build leave out the components of React Router that no page imports (forms, prefetching): it takes
 * `forwardRef(…)` and the display name that follows for side effects. 4 kB of a first visit.
 */
export function treeshakeReactRouter(): Plugin {
  return {
    name: 'nifty:treeshake-react-router',
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/].*\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(/= (\w+\.forwardRef\()/g, '= /* @__PURE__ */ $1')
          .replace(/^\w+\.displayName = "\w+";$/gm, ''),
        map: null,
      }),
    },
  }
}
