/** The smallest value that at least this part of the values do not exceed; null without values. Counts by value. */
export function percentile(counts: Record<string, number>, part: number): number | null {
  const values = Object.entries(counts)
    .map(([value, count]) => ({ value: Number(value), count }))
    .sort((one, other) => one.value - other.value)
  const total = values.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const { value, count } of values) {
    seen += count
    if (seen >= total * part) return value
  }
  return null
}
