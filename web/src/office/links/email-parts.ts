/** Characters. A longer part has to break anywhere. */
const WHOLE_PART = 20

export type EmailPart = { text: string; isWhole: boolean }

/** The parts of an e-mail address between which it can break: after `@`, dots, hyphens, `_` and `+`. */
export const emailParts = (address: string): EmailPart[] =>
  [...address.matchAll(/[^@._+-]*[@._+-]|[^@._+-]+/g)].map(([text]) => ({ text, isWhole: text.length <= WHOLE_PART }))
