import type { CurrentUser } from '@nifty/api/auth/account'
import { paths, settingsUrl } from '../../api/paths.ts'
import { useMovableFrom } from '../../custody/use-movable-from.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { OpenInMetamask } from '../../wallet/open-in-metamask.tsx'
import { useWallets } from '../../wallet/use-wallets.ts'

type Props = {
  open: boolean
  user: CurrentUser | undefined
  onClose: () => void
  /** Chooses delivery into custody; absent for a work that cannot be bought now. */
  onKeep: (() => void) | undefined
}

const listOf = new Intl.ListFormat('en-GB')

/** The dialog that requires a log-in or a wallet. It can be dismissed. */
export function PleaseConnect({ open, user, onClose, onKeep }: Props) {
  const wallets = useWallets()
  const movableFrom = useMovableFrom()
  // One accent: the choice that works at once.
  const keepFirst = onKeep !== undefined && wallets.length === 0
  return (
    <Dialog open={open} title="Please Connect" onClose={onClose}>
      <p>
        {user
          ? 'To access this feature, please connect your Metamask account.'
          : 'To access this feature, you need to log in.'}
      </p>
      {user && wallets.length > 1 && (
        <p>
          This browser has {listOf.format(wallets.map(({ name }) => name))}. You choose one of them in your settings.
        </p>
      )}
      {user && onKeep && (
        <p>
          Or the store keeps the work for you, free of charge. You can move it to a wallet {movableFrom}, at no cost.
        </p>
      )}
      <div className="dialog__actions">
        {user ? (
          <LinkButton
            to={settingsUrl(user._id)}
            target="_blank"
            rel="noopener"
            variant={keepFirst ? 'secondary' : 'primary'}
          >
            Connect Metamask
          </LinkButton>
        ) : (
          <>
            <LinkButton to={paths.login}>Login</LinkButton>
            <LinkButton to={paths.signup} variant="secondary">
              Sign up
            </LinkButton>
          </>
        )}
        {user && onKeep && (
          <Button variant={keepFirst ? 'primary' : 'secondary'} onClick={onKeep}>
            Keep it here for me
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Just looking
        </Button>
        {user && <OpenInMetamask />}
      </div>
    </Dialog>
  )
}
