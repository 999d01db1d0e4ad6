import type { Delivery } from '@nifty/api/minting/deliveries'
import { State } from '../table/state.tsx'

export const kinds: Record<Delivery['kind'], string> = { sale: 'Sale', withdrawal: 'Withdrawal', gift: 'Gift' }

const tones: Record<string, 'good' | 'bad'> = { final: 'good', failed: 'bad' }

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => <State name={state} kind={tones[state]} />
