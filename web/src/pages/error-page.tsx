import { PageTitle } from '../frame/page-title.tsx'
import { StatementPage } from '../frame/statement-page.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/button.tsx'

export function ErrorPage() {
  return (
    <StatementPage title="Somthing went wrong!" text="Try after 30 seconds">
      <PageTitle>Somthing went wrong!</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </StatementPage>
  )
}
