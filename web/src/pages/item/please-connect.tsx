import type { CurrentUser } from '@nifty/api/auth/account'
import { paths, settingsUrl } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type Props = { open: boolean; user: CurrentUser | undefined; onClose: () => void }

/** What is missing before something can be bought. It can be waved away by those who only look. */
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
        <Button look="plain" onClick={onClose}>
          Just looking
        </Button>
      </div>
    </Dialog>
  )
}
