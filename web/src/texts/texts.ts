import type { Contents, HomeText } from '@nifty/api/content'

type InDocument = { home: HomeText; hashes: Partial<Record<keyof Contents, string>> }

let read: InDocument | undefined

/** Every document has home's text, which is shown before any response, and the hashes of the others. */
export function textsInDocument(): InDocument {
  read ??= JSON.parse(document.getElementById('texts')!.textContent) as InDocument
  return read
}

/** What home shows first, and the headings of its sections. */
export const homeText = () => textsInDocument().home
