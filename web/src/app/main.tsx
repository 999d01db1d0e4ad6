import '../ui/fonts.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { takeMailedToken } from '../api/mailed-token.ts'
import { preloaded } from '../api/preloaded.ts'
import { App, loadPageAt } from './app.tsx'

/** After this time the layout is rendered without the page, and the page without what its document preloads. */
const MAX_WAIT_MS = 1_000

takeMailedToken()

const root = createRoot(document.getElementById('root')!)
// A transition renders in slices, so that a slow phone stays responsive.
const render = () =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )

// A document that shows works is replaced by a page that shows them. On home lists render as they arrive.
const showsWorks = document.querySelector('#root img') !== null
if (showsWorks) preloaded.read()

void Promise.race([
  Promise.all([loadPageAt(location.pathname), showsWorks && preloaded.settled()]),
  new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
]).then(
  render,
  // The page loads its chunk again; the error boundary shows a second failure.
  render,
)
