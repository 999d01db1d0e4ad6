import './contact-form.css'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { sendEnquiry } from './send-message.ts'

export function ContactForm() {
  const [busy, run] = useBusy()
  const [fields, setFields] = useState<Record<string, string>>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const value = (name: string) => String(data.get(name) ?? '')
    void run(async () => {
      const answer = await sendEnquiry({
        name: value('name'),
        email: value('email'),
        subject: value('subject'),
        message: value('message'),
      })
      if ('sent' in answer) {
        setFields({})
        form.reset()
        toast.success(answer.sent)
        return
      }
      setFields(answer.fields)
      for (const problem of answer.problems) toast.error(problem)
    })
  }

  return (
    <form className="contact-form" onSubmit={submit}>
      <div className="contact-form__row">
        <Field label="Name" name="name" autoComplete="name" required maxLength={80} error={fields.name} />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={fields.email}
        />
      </div>
      <Field label="Subject" name="subject" required maxLength={200} error={fields.subject} />
      <TextArea label="Message" name="message" required maxLength={5000} rows={7} error={fields.message} />
      <Button type="submit" busy={busy} busyLabel="Sending...">
        Send Message
      </Button>
    </form>
  )
}
