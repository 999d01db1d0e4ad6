import type { RememberedCards as Remembered } from '@nifty/api/payments/cards'
import { useEffect, useRef, useState } from 'react'
import { useRememberedCards } from '../../account/use-remembered-cards.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

const texts: Record<Remembered['state'], string> = {
  none: 'No card of yours is kept. On the payment page you can tick a box, and your next payment is one click there.',
  kept: 'If you ticked the box on the payment page, your card is kept for your next payment. You can remove a single card on that page.',
  after_payment:
    'Your cards are forgotten as soon as no payment page of yours is open and no card is held. New payment pages no longer show them.',
  forgetting: 'Your cards are being forgotten. New payment pages no longer show them.',
}

/** Whether the payment page remembers cards, and the button that ends it. */
export function RememberedCards() {
  const { state, error, forget, reload } = useRememberedCards()
  const [confirming, setConfirming] = useState(false)
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()
  const [forgotten, setForgotten] = useState(false)
  const status = useRef<HTMLParagraphElement>(null)

  // The button that opened the dialog is gone, and while the dialog is open nothing else takes the focus.
  useEffect(() => {
    if (forgotten && !confirming) status.current?.focus()
  }, [forgotten, confirming])

  const confirm = () =>
    run(async () => {
      setProblem('')
      const outcome = await forget()
      setConfirming(false)
      if (!outcome.ok) return setProblem(outcome.error.message)
      if (outcome.data.state === 'none') toast.success('Your cards are forgotten')
      setForgotten(true)
    })

  return (
    <SettingsSection
      title="Cards"
      text="Cards are kept by our card processor, never by this store, and used only when you pay."
    >
      {!state && !error && <Spinner />}
      {!state && error && (
        <>
          <p>It could not be loaded whether cards of yours are kept.</p>
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </>
      )}
      {state && (
        <p role="status" ref={status} tabIndex={-1}>
          {texts[state]}
        </p>
      )}
      {state === 'kept' && (
        <Button variant="secondary" onClick={() => setConfirming(true)}>
          Forget my cards
        </Button>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
      <Dialog open={confirming} title="Forget your cards?" onClose={() => setConfirming(false)}>
        <p>Next time you type your card again. Payments that are under way go on.</p>
        <div className="dialog__actions">
          <Button busy={busy} busyLabel="Forgetting..." onClick={() => void confirm()}>
            Forget them
          </Button>
          <Button variant="secondary" onClick={() => setConfirming(false)}>
            Keep them
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}
