import { parseEmail } from '@nifty/api/email-address'
import { giftTextProblem } from '@nifty/api/gift-text'
import { useState } from 'react'
import type { GiftDraft } from '../../gifts/gift-draft.ts'
import { GiftFields } from '../../gifts/gift-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useForm } from '../../ui/forms/use-form.ts'

type Props = { gift: GiftDraft | null; onChange: (gift: GiftDraft | null) => void }

/** Buying for somebody else, into the store's custody. */
export function GiftChoice({ gift, onChange }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <div className="panel__gift" tabIndex={-1}>
      {gift && (
        <>
          A gift for {gift.email}. We keep it until it is accepted.{' '}
          <button type="button" className="panel__switch" onClick={() => onChange(null)}>
            It is for me
          </button>{' '}
          ·{' '}
        </>
      )}
      <button type="button" className="panel__switch" onClick={() => setOpen(true)}>
        {gift ? 'Change the gift' : 'Buy it as a gift'}
      </button>
      <Dialog open={open} title="Buy it as a gift" onClose={() => setOpen(false)}>
        <GiftForm
          gift={gift}
          onDone={(entered) => {
            onChange(entered)
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}

function GiftForm({ gift, onDone }: { gift: GiftDraft | null; onDone: (gift: GiftDraft) => void }) {
  const { onSubmit, fields } = useForm(async ({ text }) => {
    const email = parseEmail(text('email'))
    const problem = giftTextProblem(text('text'))
    if (email && !problem) onDone({ email, text: text('text') })
    return {
      fields: {
        email: email ? undefined : 'Please enter a valid e-mail address',
        text: problem ?? undefined,
      },
    }
  })
  return (
    <form className="gift-fields" onSubmit={onSubmit}>
      <GiftFields errors={fields} defaults={gift ?? undefined} />
      <Button type="submit">Use for this purchase</Button>
    </form>
  )
}
