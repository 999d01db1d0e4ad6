import { MessagePage } from '../layout/message-page.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/button.tsx'

export function ErrorPage() {
  return (
    <MessagePage title="Somthing went wrong!" text="Try after 30 seconds">
      <PageTitle>Somthing went wrong!</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </MessagePage>
  )
}
