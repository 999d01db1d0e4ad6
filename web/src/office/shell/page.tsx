import { type ReactNode, useEffect } from 'react'

type Props = {
  title: string
  /** Beside the title: state and actions. */
  aside?: ReactNode
  children: ReactNode
}

/** Title and contents of a page. */
export function Page({ title, aside, children }: Props) {
  useEffect(() => {
    document.title = `${title} – Office`
  }, [title])
  return (
    <>
      <header className="page-title">
        <h1 tabIndex={-1}>{title}</h1>
        {aside}
      </header>
      {children}
    </>
  )
}
