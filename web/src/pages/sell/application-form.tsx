import { fieldErrors } from '../../api/api.ts'
import { withScheme } from '../../creators/links/profile-links.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { toast } from '../../ui/toast.tsx'
import type { useApplication } from './use-application.ts'

type Props = {
  emailConfirmed: boolean
  apply: ReturnType<typeof useApplication>['apply']
}

export function ApplicationForm({ emailConfirmed, apply }: Props) {
  const { busy, onSubmit, message, fields } = useForm(async ({ text }) => {
    const links = text('links')
      .split(/\s+/)
      .filter((link) => link !== '')
      .map(withScheme)
    if (links.length > 5) return { fields: { links: 'Please enter five links at most' } }
    const outcome = await apply({ links, message: text('message') })
    if (outcome.ok) {
      toast.success('Your application was sent')
      return undefined
    }
    const wrong = fieldErrors(outcome.error)
    return Object.keys(wrong).length > 0 ? { fields: wrong } : { message: outcome.error.message }
  })

  return (
    <form className="sell-page__form" onSubmit={onSubmit}>
      {!emailConfirmed && <p>Please confirm your e-mail address before you apply: we answer by mail.</p>}
      <TextArea
        label="Links to your works"
        name="links"
        required
        rows={3}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={1_500}
        hint="One in each line, five at most: your page, a portfolio, a gallery."
        error={fields.links}
      />
      <TextArea
        label="About you and your works"
        name="message"
        required
        rows={6}
        minLength={20}
        maxLength={2_000}
        dir="auto"
        error={fields.message}
      />
      {message && (
        <p className="sell-page__error" role="alert">
          {message}
        </p>
      )}
      <Button type="submit" busy={busy} busyLabel="Sending...">
        Apply to sell
      </Button>
    </form>
  )
}
