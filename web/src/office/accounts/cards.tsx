import { forgetCardsOfAccount, getCardsOfAccount } from '@nifty/api/payments/card-customers'
import type { RememberedCards } from '@nifty/api/payments/cards'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'

const texts: Record<RememberedCards['state'], string> = {
  none: 'The card processor keeps no card of this account.',
  kept: 'The card processor keeps the cards that the person chose to save on its payment page, if any, and offers them there for the next payment.',
  after_payment:
    'They are being forgotten: the card processor deletes them once no payment page is open and no card is held. New pages no longer offer them.',
  forgetting: 'They are being forgotten: the deletion at the card processor is repeated until it has worked.',
}

/** Whether the card processor remembers cards of an account, of which the store has nothing. */
export function Cards({ userId }: { userId: string }) {
  const loaded = useStore('payments', getCardsOfAccount, { params: { id: userId } }, { refreshInterval: 30_000 })
  return (
    <Section
      title="Cards"
      about="The store has no number, name or date of a card. What is remembered is at the card processor alone."
      loaded={loaded}
      aside={loaded.data?.state === 'kept' && <Forget userId={userId} />}
    >
      {({ state }) => <p>{texts[state]}</p>}
    </Section>
  )
}

const Forget = ({ userId }: { userId: string }) => (
  <Action
    label="Forget the cards…"
    title="Forget the cards"
    variant="danger"
    effects={
      <Effects
        lines={[
          'The card processor deletes all cards that it remembers for this account',
          'For the next payment the person types the card again, and may save it again',
          'Payments, offers and bids under way go on: the deletion waits for their pages and holds',
        ]}
      />
    }
    run={async ({ reason }) => {
      const { state } = await request('payments', forgetCardsOfAccount, { params: { id: userId }, body: { reason } })
      return state === 'none' ? 'The cards are forgotten.' : texts[state]
    }}
  />
)
