/**
 * A move is one committed transaction or one effect at another system. The system makes its own moves by itself, sooner
 * or later; the environment (customers, banks, the chain) may make its moves or not.
 */
export type Move<State> = { name: string; by: 'system' | 'environment'; to: State }

export type Model<State> = {
  start: State
  moves: (state: State) => Iterable<Move<State>>
  /** What is wrong with a state, in words. */
  violations: (state: State) => string[]
  /** Nothing is under way. */
  isOver: (state: State) => boolean
  /** The same text for states that do not have to be told apart. */
  keyOf: (state: State) => string
}

/** The violation of a state from which the system's own moves reach no end. */
export const STUCK = 'stuck'

export type Explored = {
  states: number
  /** Of each violation the moves of a shortest path to it. */
  violations: Map<string, string[]>
}

/** Every state that can be reached, breadth first, and backwards from the ends along the moves of the system. */
export function explore<State>(model: Model<State>): Explored {
  const ids = new Map([[model.keyOf(model.start), 0]])
  const states = [model.start]
  const cameBy: { from: number; name: string }[] = []
  const systemSources: number[][] = [[]]
  const violations = new Map<string, string[]>()

  const pathTo = (id: number): string[] => {
    const path: string[] = []
    for (let step = cameBy[id]; step; step = cameBy[step.from]) path.unshift(step.name)
    return path
  }

  for (let id = 0; id < states.length; id++) {
    const state = states[id]!
    for (const violation of model.violations(state))
      if (!violations.has(violation)) violations.set(violation, pathTo(id))
    for (const { name, by, to } of model.moves(state)) {
      const key = model.keyOf(to)
      let next = ids.get(key)
      if (next === undefined) {
        next = states.push(to) - 1
        ids.set(key, next)
        cameBy[next] = { from: id, name }
        systemSources[next] = []
      }
      if (by === 'system') systemSources[next]!.push(id)
    }
  }

  const comesToAnEnd = states.map(model.isOver)
  const queue = comesToAnEnd.flatMap((isEnd, id) => (isEnd ? [id] : []))
  for (const id of queue)
    for (const source of systemSources[id]!)
      if (!comesToAnEnd[source]) {
        comesToAnEnd[source] = true
        queue.push(source)
      }
  const stuck = comesToAnEnd.indexOf(false)
  if (stuck !== -1) violations.set(STUCK, pathTo(stuck))
  return { states: states.length, violations }
}
