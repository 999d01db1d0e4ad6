import { pages } from '@nifty/api/pages'
import { paths } from '../../api/paths.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { LinkButton } from '../../ui/button.tsx'

export function GoodbyePage() {
  return (
    <MessagePage
      title={pages.goodbye.title}
      text="Your account is deleted, and your personal data with it. What is in your wallet stays yours. You are welcome back at any time."
    >
      <LinkButton to={paths.home}>Back to home</LinkButton>
    </MessagePage>
  )
}
