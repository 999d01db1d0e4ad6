/** A file of texts that the store refuses at its start, with the line that is to be mended. */
export class ContentError extends Error {
  constructor({ path, line }: { path: string; line: number }, what: string) {
    super(`${path}:${line}: ${what}`)
    this.name = 'ContentError'
  }
}
