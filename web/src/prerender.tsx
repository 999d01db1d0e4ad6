import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { Wordmark } from './layout/wordmark.tsx'
import { Hero } from './pages/home/hero.tsx'

/** The first screen of home as a browser shows it until the script has run: without works and without a session. */
export const prerenderHome = () =>
  renderToStaticMarkup(
    <MemoryRouter>
      <header className="navigation">
        <div className="navigation__bar wrap">
          <Wordmark />
        </div>
      </header>
      <main className="content">
        <Hero items={[]} loading />
      </main>
    </MemoryRouter>,
  )
