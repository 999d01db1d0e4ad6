/** A bound of a figure, or of its ratio to the baseline that was measured in the same run. */
export type Limit = { bound: 'at most' | 'at least'; value: number; of: 'figure' | 'ratio' }

export type Target = {
  /** Its number in the README. */
  number: number
  name: string
  unit: string
  limit: Limit
}

export const atMost = (value: number): Limit => ({ bound: 'at most', value, of: 'figure' })
export const atLeast = (value: number): Limit => ({ bound: 'at least', value, of: 'figure' })
export const atMostTimes = (value: number): Limit => ({ bound: 'at most', value, of: 'ratio' })
export const atLeastTimes = (value: number): Limit => ({ bound: 'at least', value, of: 'ratio' })

/** A measured value: of a target, or one without a target. `baseline` is in the same unit. */
export type Figure =
  | { target: Target; figure: number; baseline?: number }
  | { name: string; unit: string; figure: number; baseline?: number }

export type Outcome = 'met' | 'missed' | 'not measured' | 'no target'

/** One line of the table and of the JSON file. Absent values are null. */
export type Line = {
  target: number | null
  part: string
  name: string
  figure: number | null
  unit: string
  baseline: number | null
  /** The figure divided by the baseline. */
  ratio: number | null
  limit: string | null
  outcome: Outcome
  /** Why it was not measured. */
  note: string | null
}

/**
 * Compares the unrounded values: a figure at its limit meets it. A ratio without a baseline, or a figure that is no
 * number, is not measured.
 */
export function outcomeOf({ bound, value, of }: Limit, figure: number, ratio: number | null): Outcome {
  const compared = of === 'figure' ? figure : ratio
  if (compared === null || !Number.isFinite(compared)) return 'not measured'
  return (bound === 'at most' ? compared <= value : compared >= value) ? 'met' : 'missed'
}

export const limitText = ({ bound, value, of }: Limit, unit: string) =>
  `${bound === 'at most' ? '≤' : '≥'} ${value} ${of === 'ratio' ? '×' : unit}`

export function lineOf(part: string, measured: Figure): Line {
  const { figure, baseline } = measured
  const { name, unit } = 'target' in measured ? measured.target : measured
  const ratio = baseline ? figure / baseline : null
  const common = { part, name, figure: rounded(figure), unit, baseline: rounded(baseline), ratio: rounded(ratio) }
  if (!('target' in measured)) return { target: null, ...common, limit: null, outcome: 'no target', note: null }
  const { number, limit } = measured.target
  const outcome = outcomeOf(limit, figure, ratio)
  const note = Number.isFinite(figure) ? 'its baseline was not measured' : 'the figure is no number'
  return {
    target: number,
    ...common,
    limit: limitText(limit, unit),
    outcome,
    note: outcome === 'not measured' ? note : null,
  }
}

export const notMeasured = (part: string, { number, name, unit, limit }: Target, note: string): Line => ({
  target: number,
  part,
  name,
  figure: null,
  unit,
  baseline: null,
  ratio: null,
  limit: limitText(limit, unit),
  outcome: 'not measured',
  note,
})

/** Three significant digits, and all digits of a whole number. */
function rounded(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}

/** The same figures without their targets, for sizes that the targets are not of. */
export const withoutTargets = (figures: Figure[]): Figure[] =>
  figures.map((each) => {
    if (!('target' in each)) return each
    const { target, ...values } = each
    return { name: target.name, unit: target.unit, ...values }
  })

/** The lines of a part: its figures, then those of its targets that it has no figure of. */
export function linesOf(
  { name, targets }: { name: string; targets: Target[] },
  figures: Figure[],
  note: string,
): Line[] {
  const measured = new Set(figures.map((each) => ('target' in each ? each.target : undefined)))
  return [
    ...figures.map((each) => lineOf(name, each)),
    ...targets.filter((target) => !measured.has(target)).map((target) => notMeasured(name, target, note)),
  ]
}
