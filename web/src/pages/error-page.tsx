import { pages } from '@nifty/api/pages'
import { MessagePage } from '../layout/message-page.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/button.tsx'

export function ErrorPage() {
  return (
    <MessagePage title={pages.error.title} text="Try after 30 seconds">
      <PageTitle>{pages.error.title}</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </MessagePage>
  )
}
