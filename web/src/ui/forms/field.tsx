import '../field.css'
import { type ComponentProps, type ReactNode, useId } from 'react'

export type LabelProps = {
  label: ReactNode
  /** Shown below the field unless there is an error. */
  hint?: ReactNode
  error?: string
  /** Shows a star beside the label; nothing enforces it, as specified. */
  starred?: boolean
}

export function FieldLayout({
  id,
  label,
  hint,
  error,
  starred,
  children,
}: LabelProps & { id: string; children: ReactNode }) {
  return (
    <div className="field" data-invalid={error ? true : undefined}>
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

export const described = (id: string, { hint, error }: Pick<LabelProps, 'hint' | 'error'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error || hint ? `${id}-note` : undefined,
})

export function Field({ label, hint, error, starred, ...input }: LabelProps & ComponentProps<'input'>) {
  const id = useId()
  return (
    <FieldLayout id={id} label={label} hint={hint} error={error} starred={starred}>
      <input className="field__input" {...input} {...described(id, { hint, error })} />
    </FieldLayout>
  )
}

export function TextArea({ label, hint, error, starred, ...input }: LabelProps & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <FieldLayout id={id} label={label} hint={hint} error={error} starred={starred}>
      <textarea className="field__input field__input--tall" {...input} {...described(id, { hint, error })} />
    </FieldLayout>
  )
}

export function Select({ label, hint, error, children, ...input }: LabelProps & ComponentProps<'select'>) {
  const id = useId()
  return (
    <FieldLayout id={id} label={label} hint={hint} error={error}>
      <select className="field__input field__input--select" {...input} {...described(id, { hint, error })}>
        {children}
      </select>
    </FieldLayout>
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
