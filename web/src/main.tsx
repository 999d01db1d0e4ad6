import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, loadPageAt } from './app.tsx'

/** Longer than this nobody looks at nothing: the frame comes alone, and the page when it is there. */
const PATIENCE_MS = 1_000

const root = createRoot(document.getElementById('root')!)
// In slices: a slow phone answers touches while the page is being made.
const show = () =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )

void Promise.race([loadPageAt(location.pathname), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(
  show,
  // The page asks for its code again, and the frame says what happened.
  show,
)
