type Variable = `BENCH_${string}`

/**
 * Sizes of a part: those of an environment variable, separated by commas, or the usual ones. Throws for anything but
 * numbers above 0.
 */
export function sizesOf(variable: Variable, usual: number[], env: NodeJS.ProcessEnv = process.env): number[] {
  const text = env[variable]
  if (text === undefined) return usual
  const sizes = text.split(',').map(Number)
  if (!sizes.every((size) => size > 0 && Number.isFinite(size)))
    throw new Error(`${variable}=${text}: one or more numbers above 0, separated by commas, are needed`)
  return sizes
}

/** A size of a part that has one. */
export const sizeOf = (variable: Variable, usual: number): number => sizesOf(variable, [usual])[0]!

/** Throws for a variable that replaces no size: a misspelt one would be printed as if it had. */
export function requireKnownSizes(env: NodeJS.ProcessEnv, known: string[]) {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('BENCH_')) continue
    if (!known.includes(name)) throw new Error(`${name} replaces no size; ${known.join(', ')} do`)
    sizesOf(name as Variable, [], env)
  }
}
