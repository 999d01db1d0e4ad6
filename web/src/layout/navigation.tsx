import './navigation.css'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useCurrentUser } from '../account/use-current-user.ts'
import { paths } from '../api/paths.ts'
import { useSession } from '../api/session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { useOnNavigation } from './use-on-navigation.ts'
import { useScrolledPast } from './use-scrolled-past.ts'
import { Wordmark } from './wordmark.tsx'

// Not in the entry chunk: visitors without a session never see it.
const AccountMenu = lazyComponent(() => import('./account-menu.tsx'), 'AccountMenu')

const links = [
  { to: paths.home, label: 'Home' },
  { to: paths.explore, label: 'Explore' },
  { to: paths.wallet, label: 'Wallet' },
  { to: paths.creators, label: 'Creators' },
  { to: paths.contact, label: 'Contact' },
]

/** As large as the bell and the menu's button, so that nothing shifts. */
const AccountMenuPlaceholder = ({ avatar }: { avatar: string | null | undefined }) => (
  <>
    <span className="icon-button" />
    <span className="account-menu__toggle">
      <Avatar src={avatar} size={40} />
    </span>
  </>
)

export function Navigation() {
  const { token } = useSession()
  const { user, loading, reload } = useCurrentUser()
  const { key, pathname } = useLocation()
  const sticky = useScrolledPast(50)
  const [open, setOpen] = useState(false)
  // It has a search of its own.
  const isExplore = pathname === paths.explore

  // Specified: the current user is fetched again on every navigation. A page may have changed the name or linked a
  // wallet.
  useOnNavigation(() => {
    setOpen(false)
    void reload()
  })

  useEffect(() => {
    if (!open) return
    const onEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', onEscape)
    return () => removeEventListener('keydown', onEscape)
  }, [open])

  return (
    <header className="navigation" data-sticky={sticky || undefined} data-open={open || undefined}>
      <div className="navigation__bar wrap">
        <Wordmark />
        {!isExplore && <Search />}
        <nav id="site-links" className="navigation__links" aria-label="Main">
          <ul>
            {links.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} aria-current={pathname === to ? 'page' : undefined}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="navigation__account">
          {!isExplore && (
            <Link to={paths.explore} className="icon-button navigation__search-link" aria-label="Search">
              <Icon name="search" />
            </Link>
          )}
          {token && (user || loading) ? (
            <LazyPart at={key} fallback={<AccountMenuPlaceholder avatar={user?.avatar} />}>
              <AccountMenu user={user} />
            </LazyPart>
          ) : (
            <>
              <Link to={paths.favourites} className="icon-button" aria-label="Favourites" title="Favourites">
                <Icon name="heart" />
              </Link>
              <Link to={paths.login} className="icon-button" aria-label="Login" title="Login">
                <Icon name="user" />
              </Link>
            </>
          )}
          <IconButton
            className="navigation__toggle"
            label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="site-links"
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </IconButton>
        </div>
      </div>
    </header>
  )
}

/** Leads to the works that are found. In a narrow window a link to explore stands for it. */
function Search() {
  const navigate = useNavigate()
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('search')).trim()
    navigate(text ? `${paths.explore}?search=${encodeURIComponent(text)}` : paths.explore)
  }
  return (
    <search className="navigation__search">
      <form onSubmit={search} action={paths.explore}>
        <Icon name="search" size={18} />
        <input
          className="field__input"
          type="search"
          name="search"
          aria-label="Search works and artists"
          placeholder="Search"
          maxLength={100}
        />
      </form>
    </search>
  )
}
