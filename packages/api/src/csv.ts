/**
 * CSV (RFC 4180) with every cell in quotes. A cell that a spreadsheet would take for a formula starts with an
 * apostrophe; a negative amount does not, because a spreadsheet leaves text out of a sum.
 */
export const csv = (rows: string[][]): string =>
  rows.map((row) => row.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(',')).join('\r\n')

const withoutFormula = (cell: string) =>
  /^[=+\-@\t\r\n]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell
