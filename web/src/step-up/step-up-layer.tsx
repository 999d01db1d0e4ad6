import { lazy, Suspense, useSyncExternalStore } from 'react'
import { openPrompt, subscribeToPrompt } from './step-up.ts'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })))

/** Shows the dialog while a request waits for a step-up. Its code is loaded then. */
export function StepUpLayer() {
  const prompt = useSyncExternalStore(subscribeToPrompt, openPrompt)
  if (!prompt) return null
  return (
    <Suspense fallback={null}>
      <StepUpDialog onAnswer={prompt.answer} />
    </Suspense>
  )
}
