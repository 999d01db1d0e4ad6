import { State } from '../table/state.tsx'
import { endingWords } from './ending-words.ts'

type Props = { of: 'offer' | 'bid' | 'auction'; state: string; why: string | null }

/** The state of an offer, a bid or an auction, and why it ended. */
export const EndedState = ({ of, state, why }: Props) => (
  <>
    <State name={nameOf({ of, state, why })} /> {why && endingWords(of, why)}
  </>
)

/** An accepted offer ends by its delivery, or without one; a bid that had won by the latter. */
function nameOf({ of, state, why }: Props): string {
  if (of === 'offer' && why === 'delivered') return 'sold'
  return of !== 'auction' && why === 'failed' ? 'failed' : state
}
