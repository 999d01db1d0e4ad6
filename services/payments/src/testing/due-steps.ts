import { runDueStep, type StepDeps } from '../orders/run-step.ts'

/** Runs all that is due, as the workers do. */
export async function runDueSteps(deps: StepDeps) {
  while ((await runDueStep(deps)) || (await runDueStep(deps, 'poll')));
}
