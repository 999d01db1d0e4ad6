import { PageTitle } from '../frame/page-title.tsx'
import { StatementPage } from '../frame/statement-page.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/button.tsx'

export function ThankYouPage() {
  return (
    <StatementPage title="Thank You for your Registration!" text="Check your mail box!">
      <PageTitle>Thank You for your Registration!</PageTitle>
      <LinkButton to={paths.login}>Login</LinkButton>
      <LinkButton to={paths.explore} look="plain">
        Explore works
      </LinkButton>
    </StatementPage>
  )
}
