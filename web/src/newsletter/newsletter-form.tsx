import '../ui/field.css'
import './newsletter-form.css'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { EmailInput } from '../ui/forms/email-field.tsx'
import { toast } from '../ui/toast.tsx'
import { type SubscribeState, useSubscribe } from './use-subscribe.ts'

const labels: Record<SubscribeState, string> = { idle: 'Subscribe', submitting: 'Subscribing...', success: 'Success' }

export function NewsletterForm() {
  const id = useId()
  const [email, setEmail] = useState('')
  const { state, subscribe } = useSubscribe()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const problems = await subscribe(email)
    if (!problems) return
    for (const problem of problems) toast.error(problem)
    if (problems.length > 0) return
    toast.success('Thank you for subscribing!')
    setEmail('')
  }

  return (
    <form className="newsletter" onSubmit={(event) => void submit(event)}>
      <div>
        <h2 className="newsletter__title">Subscribe to Newsletter!</h2>
        <p className="newsletter__text">Subscribe to get latest updates and information.</p>
      </div>
      <div className="newsletter__row">
        <label className="visually-hidden" htmlFor={id}>
          Email
        </label>
        <EmailInput
          id={id}
          className="field__input"
          name="email"
          autoComplete="email"
          placeholder="Enter your email :"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          busy={state !== 'idle'}
          busyLabel={labels[state === 'idle' ? 'submitting' : state]}
        >
          {labels.idle}
        </Button>
      </div>
    </form>
  )
}
