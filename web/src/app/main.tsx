import '../ui/fonts.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { takeMailedToken } from '../api/mailed-token.ts'
import { preloaded } from '../api/preloaded.ts'
import { App, loadPageAt } from './app.tsx'

/**
 * After this time the page is rendered without what its document preloads; where the document shows nothing, the layout
 * without the page.
 */
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

// A document that shows works or a text is replaced by a page that shows them.
const showsData = document.querySelector('#root :is(img, .legal)') !== null
if (showsData) preloaded.read()

const showsPage = document.querySelector('#root main') !== null
const waited = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))
const page = loadPageAt(location.pathname)

void Promise.all([
  showsPage ? page : Promise.race([page, waited]),
  Promise.race([showsData && preloaded.settled(), waited]),
]).then(
  render,
  // The page loads its chunk again; the error boundary shows a second failure.
  render,
)
