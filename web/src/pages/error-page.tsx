import { pages } from '@nifty/api/pages'
import { useLocation, useNavigate } from 'react-router-dom'
import { reloadPage } from '../api/mailed-token.ts'
import { paths } from '../api/paths.ts'
import { MessagePage } from '../layout/message-page.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { Button, LinkButton } from '../ui/button.tsx'

/** `canReload`: the page exists, but its code or its rendering failed. */
export function ErrorPage({ canReload = false }: { canReload?: boolean }) {
  const here = useLocation()
  const navigate = useNavigate()

  // Offline the browser would show an error page of its own: the page is rendered again instead, which loads missing
  // code again.
  const tryAgain = () => {
    if (navigator.onLine) reloadPage()
    else navigate(here, { replace: true })
  }

  return (
    <MessagePage title={pages.error.title} text="Try after 30 seconds">
      <PageTitle>{pages.error.title}</PageTitle>
      <LinkButton to={paths.home}>Back to home</LinkButton>
      {canReload && (
        <Button variant="secondary" onClick={tryAgain}>
          Try again
        </Button>
      )}
    </MessagePage>
  )
}
