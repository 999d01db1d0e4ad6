import 'uplot/dist/uPlot.min.css'
import './plot.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

const HEIGHT = 220
const WEEKS_S = 28 * 86_400

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const wholeDate = utc({ dateStyle: 'medium' })
const day = utc({ day: 'numeric', month: 'short' })
const month = utc({ month: 'short', year: 'numeric' })

export type Series = { label: string; values: number[]; format: (value: number) => string }

type Props = {
  /** For screen readers; the table beside the plot has its numbers. */
  label: string
  /** First days of the periods, ISO 8601. */
  days: string[]
  /** The first one formats the axis of all. */
  series: Series[]
}

/** Lines over time in the colours of the page, with dates and numbers as the pages have them. */
export function Plot({ label, days, series }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const style = getComputedStyle(element)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    const strokes = [colour('--accent'), colour('--text'), colour('--danger')]
    const axis: UPlot.Axis = {
      font: `12px ${colour('--font-text')}`,
      stroke: colour('--text-muted'),
      grid: { stroke: colour('--border'), width: 1 },
      ticks: { stroke: colour('--border'), width: 1 },
    }
    const dates: UPlot.Axis = {
      ...axis,
      space: 64,
      // No hours between the days.
      incrs: [1, 2, 7, 14, 31, 61, 92, 183, 366].map((count) => count * 86_400),
      values: (_plot, seconds, _axis, _space, step) =>
        seconds.map((second) => (step < WEEKS_S ? day : month).format(second * 1_000)),
    }
    const amounts: UPlot.Axis = {
      ...axis,
      size: 76,
      // Orders and cents are whole.
      incrs: [1, 2, 5, 10, 20, 50]
        .flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((power) => step * 10 ** power))
        .sort((one, other) => one - other),
      values: (_plot, values) => values.map(series[0]!.format),
    }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        axes: [dates, amounts],
        series: [
          { label: 'From', value: (_plot, second) => (second === null ? '–' : wholeDate.format(second * 1_000)) },
          ...series.map(
            ({ label: name, format }, index): UPlot.Series => ({
              label: name,
              stroke: strokes[index % strokes.length],
              width: 2,
              points: { show: days.length < 60 },
              value: (_plot, value) => (value === null ? '–' : format(value)),
            }),
          ),
        ],
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
      },
      [days.map((day) => Date.parse(day) / 1_000), ...series.map(({ values }) => values)],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series])
  return <div ref={place} className="plot" role="img" aria-label={label} />
}
