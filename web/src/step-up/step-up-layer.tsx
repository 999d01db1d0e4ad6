import { lazy, Suspense, useEffect, useState } from 'react'
import { showPromptsBy } from './step-up.ts'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })))

/** Shows the dialog while a request waits for a step-up. Its code is loaded then. */
export function StepUpLayer() {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null)
  useEffect(() => showPromptsBy((next) => setAnswer(() => next)), [])
  return (
    answer && (
      <Suspense>
        <StepUpDialog onAnswer={answer} />
      </Suspense>
    )
  )
}
