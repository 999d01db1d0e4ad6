import './contact-form.css'
import { useEffect, useRef } from 'react'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { fullName } from '../../ui/full-name.ts'
import { toast } from '../../ui/toast.tsx'
import { sendMessage } from './send-message.ts'

/** Writes into the fields that are empty: the account may be known only after somebody began to type. */
function fillEmpty(form: HTMLFormElement | null, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const field = form?.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.value === '') field.value = value
  }
}

/** `subject`: what the form begins with; empty for none. Name and address are those of the account, if there is one. */
export function ContactForm({ subject }: { subject: string }) {
  const { user } = useCurrentUser()
  const formRef = useRef<HTMLFormElement>(null)
  const name = user ? fullName(user) : ''
  const email = user?.email ?? ''
  useEffect(() => fillEmpty(formRef.current, { name, email, subject }), [name, email, subject])
  const { busy, onSubmit, fields } = useForm(async ({ text, form }) => {
    const result = await sendMessage({
      name: text('name'),
      email: text('email'),
      subject: text('subject'),
      message: text('message'),
    })
    if ('problems' in result) {
      for (const problem of result.problems) toast.error(problem)
      return { fields: result.fields }
    }
    form.reset()
    toast.success(result.sent)
    return undefined
  })

  return (
    <form className="contact-form" ref={formRef} onSubmit={onSubmit}>
      <div className="contact-form__row">
        <Field label="Name" name="name" autoComplete="name" required maxLength={80} error={fields.name} />
        <EmailField label="Email" name="email" autoComplete="email" required maxLength={254} error={fields.email} />
      </div>
      <Field label="Subject" name="subject" required maxLength={200} error={fields.subject} />
      <TextArea label="Message" name="message" required maxLength={5000} rows={7} error={fields.message} />
      <Button type="submit" busy={busy} busyLabel="Sending...">
        Send Message
      </Button>
    </form>
  )
}
