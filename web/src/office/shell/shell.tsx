import './shell.css'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import { ActionLayer } from '../action/action.tsx'
import { Failsafe } from './failsafe.tsx'
import { SearchField } from './search-field.tsx'

type Props = {
  operator: string
  /** The pages of the navigation, in its order. */
  navigation: { path: string; title: string }[]
}

/** Everything around a page: navigation, search, who acts. */
export function Shell({ operator, navigation }: Props) {
  const { pathname, key } = useLocation()
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  useFocusOnTitle(pathname)

  return (
    <div className="shell">
      <a className="shell__skip" href="#content">
        Skip to content
      </a>
      <header className="shell__bar">
        <IconButton
          ref={menu}
          className="shell__menu"
          label={open ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} />
        </IconButton>
        <Link className="shell__name" to="/">
          Office
        </Link>
        <SearchField />
        <p className="shell__operator">
          <span className="visually-hidden">You act as </span>
          {operator}
        </p>
      </header>
      <nav
        id="navigation"
        className="shell__navigation"
        aria-label="Office"
        data-open={open || undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !open) return
          setOpen(false)
          menu.current?.focus()
        }}
      >
        <ul>
          {navigation.map(({ path, title }) => (
            <li key={path}>
              <Link to={path} aria-current={isAt(path, pathname) ? 'page' : undefined} onClick={() => setOpen(false)}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className="shell__content" tabIndex={-1}>
        <Failsafe at={key}>
          <Outlet />
        </Failsafe>
        <p className="muted">Times are those of your time zone, {timeZone()}; days of figures and filters are UTC.</p>
      </main>
      <ActionLayer />
      <ToastRegion />
    </div>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })

/** That of the browser, as `GMT+1`: what is behind the time. */
const timeZone = () => clock.format(new Date()).replace(/^\S+ /, '')

const isAt = (path: string, pathname: string) =>
  path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)

/** As a new document does: screen readers read the title of the new page. */
function useFocusOnTitle(pathname: string) {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [pathname])
}
