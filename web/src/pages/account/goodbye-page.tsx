import { pages } from '@nifty/api/pages'
import { useLocation } from 'react-router-dom'
import { paths } from '../../api/paths.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { erasedFromIn } from './goodbye.ts'

export function GoodbyePage() {
  const erasedFrom = erasedFromIn(useLocation().state)
  const text = erasedFrom ? (
    <>
      Your account is closed, because it was changed or used on a new device a short time ago. It will be deleted on{' '}
      <Time at={erasedFrom} as="day" />, and your personal data with it; until then the link in our mail keeps it. What
      is in your wallet stays yours.
    </>
  ) : (
    'Your account is deleted, and your personal data with it. What is in your wallet stays yours. You are welcome back at any time.'
  )
  return (
    <MessagePage title={pages.goodbye.title} text={text}>
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </MessagePage>
  )
}
