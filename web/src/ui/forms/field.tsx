import '../field.css'
import { type ComponentProps, type ReactNode, useId } from 'react'

type Said = {
  label: ReactNode
  /** Said under the field until an error takes its place. */
  hint?: ReactNode
  error?: string
  /** Shows the star of a field that should be filled in. */
  starred?: boolean
}

function Around({ id, label, hint, error, starred, children }: Said & { id: string; children: ReactNode }) {
  return (
    <div className="field" data-wrong={error ? true : undefined}>
      <label className="field__label" htmlFor={id}>
        {label}
        {starred && <span className="field__star"> *</span>}
      </label>
      {children}
      <p className="field__note" id={`${id}-note`} role={error ? 'alert' : undefined} hidden={!error && !hint}>
        {error ?? hint}
      </p>
    </div>
  )
}

const described = (id: string, { hint, error }: Pick<Said, 'hint' | 'error'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error || hint ? `${id}-note` : undefined,
})

export function Field({ label, hint, error, starred, ...input }: Said & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} error={error} starred={starred}>
      <input className="field__input" {...input} {...described(id, { hint, error })} />
    </Around>
  )
}

export function TextArea({ label, hint, error, starred, ...input }: Said & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} error={error} starred={starred}>
      <textarea className="field__input field__input--tall" {...input} {...described(id, { hint, error })} />
    </Around>
  )
}

export function Select({ label, hint, error, children, ...input }: Said & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} error={error}>
      <select className="field__input field__input--select" {...input} {...described(id, { hint, error })}>
        {children}
      </select>
    </Around>
  )
}

export function Checkbox({ label, ...input }: ComponentProps<'input'> & { label: ReactNode }) {
  const id = useId()
  return (
    <div className="checkbox">
      <input type="checkbox" {...input} id={id} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
