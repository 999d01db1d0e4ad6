import type { ReactNode } from 'react'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { useText } from '../../texts/use-text.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { LegalText } from './legal-text.tsx'

type Props = {
  name: 'terms' | 'privacy' | 'cookies'
  /** Shown until the text is loaded. */
  title: string
  /** Above the text. */
  children?: ReactNode
}

/** A page of one long text of the shop. */
export function LegalPage({ name, title, children }: Props) {
  const { data: text, error, mutate } = useText(name)
  if (text)
    return (
      <>
        <PageTitle>{text.title}</PageTitle>
        <LegalText text={text}>{children}</LegalText>
      </>
    )
  return (
    <>
      <PageHead title={title} />
      <div className="wrap">
        {error ? (
          <Empty title="This text could not be loaded.">
            <Button variant="secondary" onClick={() => void mutate()}>
              Try again
            </Button>
          </Empty>
        ) : (
          <Spinner />
        )}
      </div>
    </>
  )
}
