const kinds: Record<string, 'good' | 'bad'> = {
  completed: 'good',
  delivered: 'good',
  written_off: 'bad',
  disputed: 'bad',
  refunded: 'bad',
}

/** The state of an order, a line or another thing, as the store has it. */
export const State = ({ name, kind = kinds[name] }: { name: string; kind?: 'good' | 'bad' }) => (
  <span className="state" data-kind={kind}>
    {name.replaceAll('_', ' ')}
  </span>
)
