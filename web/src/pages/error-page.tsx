import { pages } from '@nifty/api/pages'
import { MessagePage } from '../layout/message-page.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { paths } from '../paths.ts'
import { Button, LinkButton } from '../ui/button.tsx'

/** `canReload`: the page exists, but its code or its rendering failed. */
export function ErrorPage({ canReload = false }: { canReload?: boolean }) {
  return (
    <MessagePage title={pages.error.title} text="Try after 30 seconds">
      <PageTitle>{pages.error.title}</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
      {canReload && (
        <Button variant="secondary" onClick={() => location.reload()}>
          Try again
        </Button>
      )}
    </MessagePage>
  )
}
