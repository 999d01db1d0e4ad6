import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { MessagePage } from '../message-page.tsx'
import { PageTitle } from '../page-title.tsx'

type Props = {
  title: string
  text: string
  /** Absent where a retry would give the same response. */
  onRetry?: () => void
  /** Links to other pages. */
  children: ReactNode
}

/** Shown in place of a page whose data does not exist or could not be loaded. */
export const MissingPage = ({ title, text, onRetry, children }: Props) => (
  <MessagePage title={title} text={text}>
    <PageTitle>{title}</PageTitle>
    {children}
    {onRetry && (
      <Button variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    )}
  </MessagePage>
)
