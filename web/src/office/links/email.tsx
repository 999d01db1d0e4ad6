import { Fragment } from 'react'
import { emailParts } from './email-parts.ts'

/** An e-mail address that breaks between its parts where it is too long for its place. */
export const Email = ({ address }: { address: string }) => (
  <span>
    {emailParts(address).map(({ text, isWhole }, place) => (
      <Fragment key={place}>
        <span className={isWhole ? 'unbroken' : undefined}>{text}</span>
        <wbr />
      </Fragment>
    ))}
  </span>
)
