/** Replaces a text that its file has exactly once. */
export type Edit = { file: string; find: string; replace: string }

/** A test that has to fail: its file, and its title. Of a `test.each` the part before the first parameter. */
export type NamedTest = { file: string; title: string }

/** A guard taken out of the code. */
export type Mutant = {
  name: string
  /** The rule or finding that the guard is for. */
  rule: string
  edits: Edit[]
  tests: NamedTest[]
}

/** A mutant of one edit and one test. */
export const mutant = (name: string, rule: string, edit: Edit, test: NamedTest): Mutant => ({
  name,
  rule,
  edits: [edit],
  tests: [test],
})

/** The text after an edit. Throws unless it has the text to find exactly once. */
export function apply(text: string, { file, find, replace }: Edit): string {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0)
    throw new Error(`${file} has this text ${after === undefined ? 'nowhere' : 'several times'}: ${find}`)
  return `${before}${replace}${after}`
}
