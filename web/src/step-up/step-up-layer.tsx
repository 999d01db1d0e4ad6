import { Suspense, useEffect, useState } from 'react'
import { showPromptsBy } from '../api/step-up.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const StepUpDialog = lazyComponent(() => import('./step-up-dialog.tsx'), 'StepUpDialog')

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
