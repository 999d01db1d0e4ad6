import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = createRoot(document.getElementById('root')!)
// In slices: a slow phone answers touches while the page is being made.
startTransition(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
