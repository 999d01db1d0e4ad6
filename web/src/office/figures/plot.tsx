import 'uplot/dist/uPlot.min.css'
import './plot.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

const HEIGHT = 220

export type Series = { label: string; values: number[] }

type Props = {
  /** For screen readers; the table beside the plot has its numbers. */
  label: string
  /** First days of the periods, ISO 8601. */
  days: string[]
  series: Series[]
}

/** Lines over time, drawn in the colours of the page. */
export function Plot({ label, days, series }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const style = getComputedStyle(element)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    const strokes = [colour('--accent'), colour('--text'), colour('--danger')]
    const axis = {
      stroke: colour('--text-muted'),
      grid: { stroke: colour('--border'), width: 1 },
      ticks: { stroke: colour('--border'), width: 1 },
    }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        axes: [axis, { ...axis, size: 70 }],
        series: [
          { value: '{YYYY}-{MM}-{DD}' },
          ...series.map(({ label: name }, index) => ({
            label: name,
            stroke: strokes[index % strokes.length],
            width: 2,
            points: { show: days.length < 60 },
          })),
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
