import type { ReactNode } from 'react'

type Props = {
  className: string
  /** Entries without a value are left out. */
  entries: [term: string, value: ReactNode][]
}

/** A description list. */
export const Facts = ({ className, entries }: Props) => (
  <dl className={className}>
    {entries.map(
      ([term, value]) =>
        value && (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
