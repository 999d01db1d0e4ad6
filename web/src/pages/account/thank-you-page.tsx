import { pages } from '@nifty/api/pages'
import { paths } from '../../api/paths.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { ReturnCard } from '../../layout/page/return-card.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'

export function ThankYouPage() {
  return (
    <MessagePage
      title={pages.thankYou.title}
      text={
        <>
          <span>Check your mail box!</span>
          <br />
          No mail? Sign up again with the same address for a link that sets a new password, or{' '}
          <Link to={paths.resetPass}>reset your password</Link>.
        </>
      }
    >
      <LinkButton to={paths.login}>Login</LinkButton>
      <LinkButton to={paths.explore} variant="secondary">
        Explore works
      </LinkButton>
      <ReturnCard secondary />
    </MessagePage>
  )
}
