import { PageTitle } from '../frame/page-title.tsx'
import { StatementPage } from '../frame/statement-page.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/button.tsx'

export function GoodbyePage() {
  return (
    <StatementPage
      title="Goodbye!"
      text="Your account is deleted, and your personal data with it. What is in your wallet stays yours. You are welcome back at any time."
    >
      <PageTitle>Goodbye</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </StatementPage>
  )
}
