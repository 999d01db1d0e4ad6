import './account-menu.css'
import './popover.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import { useNavigate } from 'react-router-dom'
import { initialsOf } from '../account/profile/initials.ts'
import { useLogOut } from '../account/profile/use-log-out.ts'
import { creatorUrl, offersUrl, paths, settingsUrl } from '../api/paths.ts'
import { useConfig } from '../api/use-config.ts'
import { Avatar } from '../ui/avatar.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { fullName } from '../ui/full-name.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { shorten } from '../ui/shorten.ts'
import { NoticeBell } from './notice-bell.tsx'
import { useDisclosure } from './use-disclosure.ts'

/** The bell, and the avatar button with its menu. */
export function AccountMenu({ user }: { user: CurrentUser | undefined }) {
  const { open, setOpen, container, toggle } = useDisclosure()
  const navigate = useNavigate()
  const logOut = useLogOut()
  const { offers } = useConfig()

  const name = user ? fullName(user) : ''
  return (
    <>
      <NoticeBell />
      <div className="account-menu" ref={container}>
        <button
          ref={toggle}
          type="button"
          className="account-menu__toggle"
          aria-expanded={open}
          aria-controls="account-menu"
          aria-label={user ? `Account of ${name}` : 'Account'}
          disabled={!user}
          onClick={() => setOpen(!open)}
        >
          <Avatar src={user?.avatar} size={40} initials={user && initialsOf(name)} />
        </button>
        {open && user && (
          <div className="popover account-menu__panel" id="account-menu">
            <p className="account-menu__name">{name}</p>
            <div className="account-menu__wallet">
              <span className="tabular">
                {user.metamaskAddress ? shorten(user.metamaskAddress, 6, 6) : 'No address available'}
              </span>
              {user.metamaskAddress && <CopyButton text={user.metamaskAddress} label="Copy wallet address" />}
            </div>
            <ul>
              <li>
                <Link to={creatorUrl(user.username)}>
                  <Icon name="user" /> Profile
                </Link>
              </li>
              <li>
                <Link to={paths.favourites}>
                  <Icon name="heart" /> Favourites
                </Link>
              </li>
              <li>
                <Link to={paths.orders}>
                  <Icon name="receipt" /> Orders
                </Link>
              </li>
              {offers && (
                <li>
                  <Link to={offersUrl}>
                    <Icon name="receipt" /> Bids and offers
                  </Link>
                </li>
              )}
              {user.admin && (
                <li>
                  <Link to={paths.studio}>
                    <Icon name="image" /> Studio
                  </Link>
                </li>
              )}
              <li>
                <Link to={settingsUrl(user._id)}>
                  <Icon name="gear" /> Settings
                </Link>
              </li>
              <li>
                <button
                  type="button"
                  onClick={() => {
                    void logOut()
                    navigate(paths.login)
                  }}
                >
                  <Icon name="leave" /> Logout
                </button>
              </li>
            </ul>
          </div>
        )}
      </div>
    </>
  )
}
