import { MessagePage } from '../../layout/message-page.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'

export function ThankYouPage() {
  return (
    <MessagePage title="Thank You for your Registration!" text="Check your mail box!">
      <PageTitle>Thank You for your Registration!</PageTitle>
      <LinkButton to={paths.login}>Login</LinkButton>
      <LinkButton to={paths.explore} look="plain">
        Explore works
      </LinkButton>
    </MessagePage>
  )
}
