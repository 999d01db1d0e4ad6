import './missing-page.css'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/state.tsx'
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
  <div className="missing-page wrap">
    <PageTitle>{title}</PageTitle>
    <h1 tabIndex={-1}>{title}</h1>
    <Empty title={text}>
      <div className="missing-page__next">
        {children}
        {onRetry && (
          <Button look="plain" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </Empty>
  </div>
)
