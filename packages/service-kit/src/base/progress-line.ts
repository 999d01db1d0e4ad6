type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** A line of a terminal that each text replaces; without a terminal nothing is written. */
export function progressLine(terminal: Terminal = process.stderr) {
  const show = (text: string) => {
    if (terminal.isTTY) terminal.write(`\r\u001b[2K${text}`)
  }
  return { show, clear: () => show('') }
}
