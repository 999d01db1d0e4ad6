import type { ReactNode } from 'react'

type Props = {
  className: string
  /** What each is called, and what it is. One without a value is left out. */
  entries: [term: string, value: ReactNode][]
}

/** Terms with their values: addresses, numbers and dates in tabular figures. */
export const Facts = ({ className, entries }: Props) => (
  <dl className={className}>
    {entries.map(
      ([term, value]) =>
        value && (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ),
    )}
  </dl>
)
