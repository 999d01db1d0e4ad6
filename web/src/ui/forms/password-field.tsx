import { type ComponentProps, useId, useState } from 'react'
import { described, FieldLayout, type LabelProps } from './field.tsx'

/** A password input with a button that shows what is typed. */
export function PasswordField({ label, hint, error, ...input }: LabelProps & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId()
  const [shown, setShown] = useState(false)

  return (
    <FieldLayout id={id} label={label} hint={hint} error={error}>
      <div className="password">
        <input
          className="field__input"
          type={shown ? 'text' : 'password'}
          autoCapitalize="off"
          spellCheck={false}
          {...input}
          {...described(id, { hint, error })}
        />
        <button type="button" className="password__toggle" aria-controls={id} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldLayout>
  )
}
