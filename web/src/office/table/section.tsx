import './table.css'
import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/state.tsx'
import type { Loaded } from '../store/use-store.ts'

type Props<Data> = {
  title: string
  /** A sentence below the title. */
  about?: ReactNode
  /** Beside the title: filters and actions. */
  aside?: ReactNode
  loaded: Loaded<Data>
  children: (data: Data) => ReactNode
}

/** A part of a page with what a service returned. When that fails the other parts stay usable. */
export function Section<Data>({ title, about, aside, loaded, children }: Props<Data>) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section__head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {about && <p className="muted">{about}</p>}
      <Contents loaded={loaded}>{children}</Contents>
    </section>
  )
}

/** What was loaded before stays beside the failure of a later request, unless it does not exist any more. */
export function Contents<Data>({
  loaded: { data, error, reload },
  children,
}: Pick<Props<Data>, 'loaded' | 'children'>) {
  const isGone = error?.status === 404
  // Another role is given by whoever sets OPERATORS: another try ends the same.
  if (error?.code === 'role_required') return <p className="muted">{error.message}</p>
  return (
    <>
      {error && (
        <div className="failed" role="alert">
          <p>{error.message}</p>
          <Button variant="secondary" onClick={reload}>
            Try again
          </Button>
        </div>
      )}
      {data !== undefined && !isGone && children(data)}
      {data === undefined && !error && <Loading />}
    </>
  )
}

const Loading = () => (
  <div role="status">
    <span className="visually-hidden">Loading</span>
    <Skeleton className="section__line" />
    <Skeleton className="section__line" />
    <Skeleton className="section__line" />
  </div>
)
