import { useConfig } from '../api/use-config.ts'

/** From when on a work that is bought into custody can be moved to a wallet, as a part of a sentence. */
export function useMovableFrom(): string {
  const { custodyHoldHours: hours = 0 } = useConfig()
  if (hours === 0) return 'at any time'
  return `from ${hours} ${hours === 1 ? 'hour' : 'hours'} after the payment on`
}
