import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { MessagePage } from './message-page.tsx'
import { PageTitle } from './page-title.tsx'

type Props = {
  title: string
  text: string
  /** Absent where asking again would bring the same answer. */
  onRetry?: () => void
  /** The way on. */
  children: ReactNode
}

/** What was asked for is not there, or the store did not answer: said in place of the page, with a way on. */
export const MissingPage = ({ title, text, onRetry, children }: Props) => (
  <MessagePage title={title} text={text}>
    <PageTitle>{title}</PageTitle>
    {children}
    {onRetry && (
      <Button look="plain" onClick={onRetry}>
        Try again
      </Button>
    )}
  </MessagePage>
)
