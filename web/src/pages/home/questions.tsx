import { Accordion } from '../../ui/accordion.tsx'
import { questions } from './questions.ts'

export function Questions() {
  return <Accordion entries={questions} />
}
