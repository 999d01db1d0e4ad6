import type { CurrentUser } from '@nifty/api/auth/account'
import { paths, settingsUrl } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type Props = { open: boolean; user: CurrentUser | undefined; onClose: () => void }

/** The dialog that requires a log-in or a wallet. It can be dismissed. */
export function PleaseConnect({ open, user, onClose }: Props) {
  return (
    <Dialog open={open} title="Please Connect" onClose={onClose}>
      <p>
        {user
          ? 'To access this feature, please connect your Metamask account.'
          : 'To access this feature, you need to log in.'}
      </p>
      <div className="dialog__actions">
        {user ? (
          <LinkButton to={settingsUrl(user._id)} target="_blank" rel="noopener">
            Connect Metamask
          </LinkButton>
        ) : (
          <LinkButton to={paths.login}>Login</LinkButton>
        )}
        <Button variant="secondary" onClick={onClose}>
          Just looking
        </Button>
      </div>
    </Dialog>
  )
}
