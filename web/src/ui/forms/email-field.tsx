import { parseEmail } from '@nifty/api/email-address'
import { type ComponentProps, type InvalidEvent, useId } from 'react'
import { described, FieldLayout, type LabelProps } from './field.tsx'

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'onInvalid'>

/**
 * An input for an e-mail address. Browsers differ in what they take for one (`user@müller.de`, full-width letters):
 * what the store understands is replaced by the spelling that all of them accept, and the form is submitted again.
 */
export function EmailInput(input: InputProps) {
  const onInvalid = (event: InvalidEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    const email = parseEmail(field.value)
    if (!email || email === field.value) return
    event.preventDefault()
    field.value = email
    // Not at once: a form whose fields are being checked ignores a second submission.
    if (field.validity.valid) setTimeout(() => field.form?.requestSubmit())
  }
  return <input {...input} type="email" onInvalid={onInvalid} />
}

export function EmailField({ label, hint, error, starred, ...input }: LabelProps & InputProps) {
  const id = useId()
  return (
    <FieldLayout id={id} label={label} hint={hint} error={error} starred={starred}>
      <EmailInput className="field__input" {...input} {...described(id, { hint, error })} />
    </FieldLayout>
  )
}
