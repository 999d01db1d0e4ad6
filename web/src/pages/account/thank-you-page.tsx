import { pages } from '@nifty/api/pages'
import { MessagePage } from '../../layout/message-page.tsx'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'

export function ThankYouPage() {
  return (
    <MessagePage title={pages.thankYou.title} text="Check your mail box!">
      <LinkButton to={paths.login}>Login</LinkButton>
      <LinkButton to={paths.explore} variant="secondary">
        Explore works
      </LinkButton>
    </MessagePage>
  )
}
