import './table.css'
import type { ReactNode } from 'react'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  /** Aligned at the right. */
  isNumber?: true
}

type Props<Row> = {
  /** For screen readers. */
  caption: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: Column<Row>[]
  /** In place of the table without rows. */
  empty: ReactNode
}

/** On a narrow screen each row is a block, in which every cell has the title of its column. */
export function Table<Row>({ caption, rows, rowKey, columns, empty }: Props<Row>) {
  if (rows.length === 0) return <p className="table-empty">{empty}</p>
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" data-number={isNumber}>
              {title || <span className="visually-hidden">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ title, cell, isNumber }) => {
              const content = cell(row)
              return (
                <td key={title} data-title={title} data-number={isNumber} data-empty={isBlank(content) || undefined}>
                  <div>{content}</div>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isBlank = (content: ReactNode) => content === null || content === undefined || content === '' || content === false
