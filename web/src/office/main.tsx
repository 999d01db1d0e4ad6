import '../ui/fonts.css'
import '../ui/tokens.css'
import '../ui/base.css'
import './office.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Closed } from './shell/closed.tsx'
import { startSession } from './store/session.ts'

const root = createRoot(document.getElementById('root')!)

void startSession().then(
  (session) =>
    root.render(
      <StrictMode>
        <App session={session} />
      </StrictMode>,
    ),
  (error: Error) =>
    root.render(
      <StrictMode>
        <Closed reason={error.message} />
      </StrictMode>,
    ),
)
